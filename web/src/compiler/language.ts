import type { RemoteCompiler, RemoteLanguageService } from './api.ts';

interface OpenService {
  client: RemoteCompiler;
  device: string;
  service: Promise<RemoteLanguageService>;
  /** What the service was last told. */
  source: string | undefined;
}

/**
 * The language service of the program, in the worker that `client` gives. It
 * is told a text when something is asked about it, once.
 */
export class LanguageClient {
  #open: OpenService | undefined;

  constructor(private readonly client: () => RemoteCompiler) {}

  /** The service with `source` for its text. Rejects with `KtirError` when the worker fails. */
  async about(source: string, device: string): Promise<RemoteLanguageService> {
    const open = this.#openFor(device);
    try {
      const service = await open.service;
      if (open.source !== source) {
        open.source = source;
        // The worker answers in order: what is asked next is about this text.
        void service.update(source).catch(() => this.#forget(open));
      }
      return service;
    } catch (error) {
      this.#forget(open);
      throw error;
    }
  }

  #openFor(device: string): OpenService {
    const client = this.client();
    const open = this.#open;
    if (open?.client === client && open.device === device) return open;
    // Of a worker that is gone nothing is left to delete.
    if (open?.client === client) {
      void open.service.then((service) => service.delete()).catch(() => undefined);
    }
    this.#open = {
      client,
      device,
      service: client.createLanguageService(device ? { device } : {}),
      source: undefined,
    };
    return this.#open;
  }

  #forget(open: OpenService): void {
    if (this.#open === open) this.#open = undefined;
  }
}
