/** Script of a browser's worker: loading it makes the worker serve calls. */

import type { RpcRequest } from './rpc.js';
import { WorkerServer } from './worker-server.js';

// The types of a page and of a worker exclude each other; this is the part of
// a worker's scope that is needed.
const scope = globalThis as unknown as {
  postMessage(message: unknown, transfer: Transferable[]): void;
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
};

const server = new WorkerServer((response, transfer) => {
  scope.postMessage(response, transfer);
});
scope.addEventListener('message', (event) => {
  server.receive(event.data as RpcRequest);
});
