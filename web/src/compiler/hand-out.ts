import type { RemoteCompiler } from './api.ts';

/** Gives `first` at the first call and what `connect` makes at every later one. */
export function handOut(
  first: RemoteCompiler,
  connect: () => RemoteCompiler,
): () => RemoteCompiler {
  let waiting: RemoteCompiler | undefined = first;
  return () => {
    const client = waiting ?? connect();
    waiting = undefined;
    return client;
  };
}
