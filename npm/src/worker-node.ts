/** Script of a worker thread of Node: loading it makes the thread serve calls. */

import { parentPort } from 'node:worker_threads';

import type { RpcRequest } from './rpc.js';
import { WorkerServer } from './worker-server.js';

if (!parentPort) throw new Error("'ktir/worker' is a script for a worker thread");
const port = parentPort;
const server = new WorkerServer((response, transfer) => {
  port.postMessage(response, transfer);
});
port.on('message', (message: RpcRequest) => {
  server.receive(message);
});
