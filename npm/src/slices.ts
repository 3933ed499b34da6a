/** Long work in slices, between which the host's event loop runs. */

/** Milliseconds that a slice should take: short enough for a smooth page. */
const SLICE = 12;

export interface Slices {
  /** Runs for about `milliseconds`; false when there is nothing more to do. */
  advance: (milliseconds: number) => boolean;
  /** Called between slices, before others get their turn. */
  between: () => void;
  signal?: AbortSignal | undefined;
}

/** Runs to the end, or rejects with the signal's reason as soon as it aborts. */
export async function runInSlices({ advance, between, signal }: Slices): Promise<void> {
  for (;;) {
    signal?.throwIfAborted();
    if (!advance(SLICE)) return;
    between();
    await nextTurn();
  }
}

/** Resolves after the tasks that wait; unlike a timer, without a minimum delay. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
