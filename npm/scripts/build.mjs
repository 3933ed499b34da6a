/**
 * Builds `dist/` from `src/` and the linked wasm module, which lies in
 * `$KTIR_WASM_DIR` (default: `build/wasm` of the checkout).
 */

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const repository = resolve(root, '..');
const wasmDirectory = resolve(process.env.KTIR_WASM_DIR ?? join(repository, 'build/wasm'));
const dist = join(root, 'dist');

const gluePath = join(wasmDirectory, 'ktir.js');
const wasmPath = join(wasmDirectory, 'ktir.wasm');
for (const path of [gluePath, wasmPath]) {
  if (!existsSync(path)) {
    console.error(`'${path}' is missing: build the wasm preset first, or set KTIR_WASM_DIR`);
    process.exit(1);
  }
}

rmSync(dist, { recursive: true, force: true });
mkdirSync(dist, { recursive: true });

const wasm = readFileSync(wasmPath);
const buildId = createHash('sha256')
  .update(readFileSync(gluePath))
  .update(wasm)
  .digest('hex')
  .slice(0, 16);
writeFileSync(join(dist, 'ktir.wasm'), Buffer.concat([wasm, customSection('ktir.build', buildId)]));

/** A custom section, which may stand at the end of any module. */
function customSection(name, text) {
  const nameBytes = Buffer.from(name);
  const body = Buffer.concat([unsignedLeb128(nameBytes.length), nameBytes, Buffer.from(text)]);
  return Buffer.concat([Buffer.from([0]), unsignedLeb128(body.length), body]);
}

function unsignedLeb128(value) {
  const bytes = [];
  do {
    const rest = value >>> 7;
    bytes.push((value & 0x7f) | (rest ? 0x80 : 0));
    value = rest;
  } while (value);
  return Buffer.from(bytes);
}

/** Resolves the generated glue, and the modules that differ in Node. */
function modules(platform) {
  return {
    name: 'ktir-modules',
    setup({ onResolve }) {
      onResolve({ filter: /^ktir-glue$/ }, () => ({ path: gluePath }));
      if (platform === 'node') {
        onResolve({ filter: /^\.\/platform\.js$/ }, ({ importer }) =>
          importer.endsWith('platform-node.ts')
            ? undefined
            : { path: join(root, 'src/platform-node.ts') },
        );
      }
    },
  };
}

function bundle(platform, format, entries, extra = {}) {
  return build({
    absWorkingDir: root,
    entryPoints: Object.fromEntries(entries.map((name) => [name, `src/${name}.ts`])),
    outdir: dist,
    bundle: true,
    format,
    platform: platform === 'node' ? 'node' : 'neutral',
    target: platform === 'node' ? 'node20' : 'es2022',
    define: { KTIR_BUILD_ID: JSON.stringify(buildId), ...extra.define },
    banner: extra.banner ?? {},
    outExtension: format === 'cjs' ? { '.js': '.cjs' } : {},
    plugins: [modules(platform)],
    logLevel: 'warning',
    legalComments: 'none',
  });
}

await Promise.all([
  bundle('browser', 'esm', ['index', 'worker']),
  bundle('node', 'esm', ['node', 'worker-node', 'cli']),
  bundle('node', 'cjs', ['node'], {
    // CommonJS has no `import.meta`.
    define: { 'import.meta.url': 'ktirScriptUrl' },
    banner: { js: "const ktirScriptUrl = require('node:url').pathToFileURL(__filename).href;" },
  }),
]);

execFileSync(
  process.execPath,
  [join(root, 'node_modules/typescript/bin/tsc'), '-p', join(root, 'tsconfig.types.json')],
  { stdio: 'inherit' },
);
// The same declarations, read as CommonJS by who requires the package.
cpSync(join(dist, 'types'), join(dist, 'types-cjs'), { recursive: true });
writeFileSync(join(dist, 'types-cjs/package.json'), '{ "type": "commonjs" }\n');

// What the package ships beside its own files.
const license = join(repository, 'LICENSE');
if (existsSync(license)) copyFileSync(license, join(root, 'LICENSE'));
const playground = resolve(process.env.KTIR_PLAYGROUND_DIR ?? join(repository, 'web/dist'));
rmSync(join(root, 'playground'), { recursive: true, force: true });
if (existsSync(join(playground, 'index.html'))) {
  cpSync(playground, join(root, 'playground'), { recursive: true });
}

console.log(`ktir.wasm: ${wasm.length} bytes; build ${buildId}`);
