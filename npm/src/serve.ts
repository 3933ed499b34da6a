/** `ktir serve`: the playground, or any folder of static files, on this machine. */

import { createReadStream } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { extname, join, resolve, sep } from 'node:path';

const MIME_TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.gif': 'image/gif',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.mlir': 'text/plain; charset=utf-8',
  '.npy': 'application/octet-stream',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
};

/**
 * The page may load only what it brings, compile wasm, and start its own
 * workers. The editor writes its styles into the document.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const HEADERS = {
  'Content-Security-Policy': CONTENT_SECURITY_POLICY,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cache-Control': 'no-cache',
};

export interface ServeOptions {
  /** The folder whose files are served. */
  directory: string;
  /** 0: any free port. */
  port: number;
}

export interface Serving {
  /** Address of the start page. */
  url: string;
  close(): Promise<void>;
}

/** Serves `directory` on 127.0.0.1 only. Rejects when that is impossible. */
export async function serve({ directory, port }: ServeOptions): Promise<Serving> {
  const root = await realpath(directory);
  if (!(await stat(join(root, 'index.html'))).isFile()) {
    throw new Error(`'${join(directory, 'index.html')}' is no file`);
  }
  const server = createServer((request, response) => {
    answer(root, request, response).catch(() => {
      if (!response.headersSent) sendText(response, 500, 'internal error');
      else response.destroy();
    });
  });
  await listen(server, port);
  const address = server.address();
  const bound = typeof address === 'object' && address ? address.port : port;
  return {
    url: `http://127.0.0.1:${String(bound)}/`,
    close: () =>
      new Promise((done, fail) => {
        server.close((error) => {
          if (error) fail(error);
          else done();
        });
        server.closeAllConnections();
      }),
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((done, fail) => {
    server.once('error', fail);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', fail);
      done();
    });
  });
}

async function answer(
  root: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('Allow', 'GET, HEAD');
    sendText(response, 405, 'method not allowed');
    return;
  }
  const file = await findFile(root, request.url ?? '/');
  if (!file) {
    sendText(response, 404, 'not found');
    return;
  }
  response.writeHead(200, {
    ...HEADERS,
    'Content-Type': MIME_TYPES[extname(file.path).toLowerCase()] ?? 'application/octet-stream',
    'Content-Length': file.size,
  });
  if (request.method === 'HEAD') {
    response.end();
    return;
  }
  createReadStream(file.path)
    .on('error', () => response.destroy())
    .pipe(response);
}

/** The file that a request names, if it lies below `root`, links resolved. */
async function findFile(
  root: string,
  url: string,
): Promise<{ path: string; size: number } | undefined> {
  try {
    const { pathname } = new URL(url, 'http://localhost');
    const name = decodeURIComponent(pathname);
    const wanted = resolve(root, `.${name.endsWith('/') ? `${name}index.html` : name}`);
    const path = await realpath(wanted);
    if (!path.startsWith(root.endsWith(sep) ? root : root + sep)) return undefined;
    const info = await stat(path);
    return info.isFile() ? { path, size: info.size } : undefined;
  } catch {
    return undefined;
  }
}

function sendText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { ...HEADERS, 'Content-Type': 'text/plain; charset=utf-8' });
  response.end(`${text}\n`);
}
