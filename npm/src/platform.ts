/**
 * Where the wasm file is, for browsers and workers. The build script puts
 * `platform-node.ts` in the place of this module in the entries for Node.
 */

/** The file beside the script, written so that bundlers see and move it. */
export function defaultWasm(): URL {
  return new URL('./ktir.wasm', import.meta.url);
}

/** Compiles the wasm that `url` names, streaming where the server allows it. */
export async function compileUrl(url: URL | string): Promise<WebAssembly.Module> {
  const response = await fetch(url);
  return compileResponse(response);
}

export async function compileResponse(response: Response): Promise<WebAssembly.Module> {
  if (!response.ok) {
    throw new Error(`${response.url}: HTTP ${String(response.status)} ${response.statusText}`);
  }
  const type = response.headers.get('Content-Type') ?? '';
  // Streaming insists on the type; servers that do not know it are common.
  if (type.startsWith('application/wasm')) return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}
