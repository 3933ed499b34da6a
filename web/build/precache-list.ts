import { readdir, writeFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { Plugin } from 'vite';

/**
 * Writes a JSON array of every file that the page needs to work offline,
 * relative to the page. The service worker reads it.
 */
export function precacheList(fileName: string): Plugin {
  let directory = '';
  return {
    name: 'precache-list',
    apply: 'build',
    configResolved(config) {
      directory = join(config.root, config.build.outDir);
    },
    async closeBundle() {
      const entries = await readdir(directory, { recursive: true, withFileTypes: true });
      const files = entries
        .filter((entry) => entry.isFile())
        .map((entry) => relative(directory, join(entry.parentPath, entry.name)))
        .map((path) => path.split(sep).join('/'))
        .filter((path) => path !== fileName && path !== 'service-worker.js')
        .sort();
      await writeFile(join(directory, fileName), JSON.stringify(files));
    },
  };
}
