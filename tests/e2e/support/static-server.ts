import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { extname, join, normalize } from 'node:path';
import type { AddressInfo } from 'node:net';

const types: Record<string, string> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
  '.wasm': 'application/wasm',
};

export interface StaticServer {
  /** Address of the page, in a folder below the root of the host. */
  url: string;
  close(): Promise<void>;
}

/** A plain host of files: only the headers that every such host sends, the page in a folder. */
export async function serveFolder(root: string): Promise<StaticServer> {
  const folder = '/some/folder/';
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://host').pathname);
    const name = normalize(path.slice(folder.length) || 'index.html');
    if (!path.startsWith(folder) || name.startsWith('..')) {
      response.writeHead(404).end();
      return;
    }
    readFile(join(root, name)).then(
      (body) => {
        response.writeHead(200, {
          'content-type': types[extname(name)] ?? 'application/octet-stream',
          'cache-control': 'max-age=600',
        });
        response.end(body);
      },
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${folder}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
