import type { RemoteCompilation, RemoteCompiler, RemoteLanguageService } from './api.ts';
import { KtirError } from './api.ts';
import { Emitter } from '../ui/emitter.ts';
import { LanguageClient } from './language.ts';

/** How long after the last key the document is checked. */
const quietPeriod = 200;
/** After this long a check that is no longer wanted is given up with its worker. */
const patience = 4000;

export type CheckerStatus = 'loading' | 'checking' | 'idle' | 'failed';

/** A checked document. Its stages are printed on demand, and once. */
export interface Checked extends RemoteCompilation {
  source: string;
  device: string;
  stageText(stage: number): Promise<string>;
}

/**
 * Keeps the document checked. Owns one worker; at most one check runs, the
 * newest document waits, and answers about older ones are dropped.
 */
export class Checker {
  readonly onStatus = new Emitter<{ status: CheckerStatus; message: string }>();
  readonly onChecked = new Emitter<Checked>();

  #client: RemoteCompiler | undefined;
  #timer: number | undefined;
  #wanted: { source: string; device: string } | undefined;
  #running: { since: number } | undefined;
  #current: Checked | undefined;
  readonly #language = new LanguageClient(() => (this.#client ??= this.connect()));

  constructor(private readonly connect: () => RemoteCompiler) {}

  /** The last document checked; absent before the first answer. */
  get current(): Checked | undefined {
    return this.#current;
  }

  /** Prints a text in canonical form; undefined when it has an error. */
  async format(source: string): Promise<string | undefined> {
    this.#client ??= this.connect();
    return (await this.#client.format(source)).text;
  }

  /** The language service with `source` for its text. */
  language(source: string, device: string): Promise<RemoteLanguageService> {
    return this.#language.about(source, device);
  }

  /** Notes a change of the document; the check follows when typing pauses. */
  documentChanged(source: string, device: string): void {
    this.#wanted = { source, device };
    window.clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => this.#start(), quietPeriod);
  }

  /** Checks without waiting for a pause. */
  checkNow(source: string, device: string): void {
    this.#wanted = { source, device };
    window.clearTimeout(this.#timer);
    this.#start();
  }

  #start(): void {
    if (!this.#wanted) return;
    if (this.#running) {
      // A compiler that hangs on an old text must not block the new one.
      const waited = performance.now() - this.#running.since;
      if (waited < patience) {
        this.#timer = window.setTimeout(() => this.#start(), patience - waited);
        return;
      }
      this.#discardWorker();
    }
    const document = this.#wanted;
    this.#wanted = undefined;
    const run = { since: performance.now() };
    this.#running = run;
    this.onStatus.emit({ status: this.#client ? 'checking' : 'loading', message: '' });
    void this.#check(document.source, document.device, run);
  }

  async #check(source: string, device: string, run: { since: number }, attempt = 1): Promise<void> {
    this.#client ??= this.connect();
    const client = this.#client;
    try {
      const compilation = await client.compile(source, device ? { device } : {});
      if (this.#running !== run) return;
      // A text that parses is what navigation falls back on when the next does not.
      void this.language(source, device).catch(() => undefined);
      const previous = this.#current;
      if (this.#wanted && previous) {
        // The answer is stale: a newer document waits.
        void client.release(compilation.id).catch(() => undefined);
      } else {
        this.#current = this.#checked(client, compilation, source, device);
        this.onChecked.emit(this.#current);
        if (previous) void client.release(previous.id).catch(() => undefined);
      }
      this.#finish('idle', '');
    } catch (error) {
      if (this.#running !== run) return;
      this.#discardWorker();
      // What an earlier text broke is no fault of this one: once more, from new.
      if (attempt === 1 && error instanceof KtirError && error.code === 'crashed') {
        this.#running = run;
        await this.#check(source, device, run, 2);
        return;
      }
      this.#finish('failed', describeFailure(error));
    }
  }

  #finish(status: CheckerStatus, message: string): void {
    this.#running = undefined;
    this.onStatus.emit({ status, message });
    if (this.#wanted) {
      window.clearTimeout(this.#timer);
      this.#start();
    }
  }

  #discardWorker(): void {
    this.#client?.close();
    this.#client = undefined;
    this.#running = undefined;
  }

  #checked(
    client: RemoteCompiler,
    compilation: RemoteCompilation,
    source: string,
    device: string,
  ): Checked {
    const texts = new Map<number, Promise<string>>();
    return {
      ...compilation,
      source,
      device,
      stageText(stage) {
        let text = texts.get(stage);
        if (!text) {
          text = client.stageText(compilation.id, stage);
          texts.set(stage, text);
        }
        return text;
      },
    };
  }
}

/** A sentence for the person in front of the page. */
export function describeFailure(error: unknown): string {
  if (error instanceof KtirError) {
    if (error.code === 'crashed') {
      return `The compiler stopped unexpectedly and was restarted: ${error.message}`;
    }
    if (error.code === 'load') return `The compiler could not be loaded: ${error.message}`;
    return error.message;
  }
  return error instanceof Error ? error.message : String(error);
}
