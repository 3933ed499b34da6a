/** Where the wasm file is, for Node: read from disk, beside the script. */

import { readFile } from 'node:fs/promises';

import { compileUrl as fetchUrl } from './platform.js';

export { compileResponse } from './platform.js';

export function defaultWasm(): URL {
  return new URL('./ktir.wasm', import.meta.url);
}

export async function compileUrl(url: URL | string): Promise<WebAssembly.Module> {
  const text = String(url);
  if (/^https?:/.test(text)) return fetchUrl(url);
  return WebAssembly.compile(await readFile(text.startsWith('file:') ? new URL(text) : text));
}
