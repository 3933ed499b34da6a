import { connectWorker } from 'ktir';
import type { RemoteCompiler } from './api.ts';
import CompilerWorker from './worker.ts?worker';

/** A compiler in a worker of its own. */
export function connectCompiler(): RemoteCompiler {
  return connectWorker(new CompilerWorker());
}
