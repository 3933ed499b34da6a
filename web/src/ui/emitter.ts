/** A list of listeners for one kind of event. */
export class Emitter<T> {
  readonly #listeners = new Set<(value: T) => void>();

  /** Adds a listener; the result removes it. */
  subscribe(listener: (value: T) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  emit(value: T): void {
    for (const listener of [...this.#listeners]) listener(value);
  }
}
