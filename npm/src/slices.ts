/** Long work in slices, between which the host's event loop runs. */

/** Milliseconds that a slice should take: short enough for a smooth page. */
const TARGET = 12;
const FIRST_BUDGET = 20_000;

export interface Slices {
  /** Runs about `budget` instructions; false when there is nothing more to do. */
  advance: (budget: number) => boolean;
  /** Called between slices, before others get their turn. */
  between: () => void;
  signal?: AbortSignal | undefined;
}

/** Runs to the end, or rejects with the signal's reason as soon as it aborts. */
export async function runInSlices({ advance, between, signal }: Slices): Promise<void> {
  let budget = FIRST_BUDGET;
  for (;;) {
    signal?.throwIfAborted();
    const start = performance.now();
    if (!advance(budget)) return;
    const elapsed = Math.max(performance.now() - start, 0.1);
    // Steer towards the target, at most by a factor of four a slice: programs
    // go through phases of very different speed.
    budget = Math.round(budget * Math.min(4, Math.max(0.25, TARGET / elapsed)));
    budget = Math.max(budget, 1000);
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
