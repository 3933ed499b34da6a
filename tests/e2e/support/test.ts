import { fileURLToPath } from 'node:url';
import { test as base, expect, type Page } from '@playwright/test';
import { Playground } from './playground.js';
import { serveFolder, type StaticServer } from './static-server.js';

const dist =
  process.env.KTIR_PLAYGROUND ?? fileURLToPath(new URL('../../../web/dist/', import.meta.url));

interface Fixtures {
  server: StaticServer;
  /** The page, opened and ready, with the first example. */
  playground: Playground;
  /** Opens the page at an address of its own, in a browser that knows nothing. */
  openFresh: (hash: string) => Promise<Playground>;
}

export const test = base.extend<Fixtures>({
  server: async ({}, use) => {
    const server = await serveFolder(dist);
    await use(server);
    await server.close();
  },

  playground: async ({ page, server }, use) => {
    const complaints = collectComplaints(page);
    const playground = new Playground(page, server.url);
    await playground.openAt('');
    await use(playground);
    expect(complaints, 'errors in the console').toEqual([]);
  },

  openFresh: async ({ browser, server }, use) => {
    const pages: Page[] = [];
    await use(async (hash) => {
      const context = await browser.newContext();
      const page = await context.newPage();
      pages.push(page);
      const complaints = collectComplaints(page);
      const playground = new Playground(page, server.url);
      await playground.openAt(hash);
      expect(complaints, 'errors in the console').toEqual([]);
      return playground;
    });
    for (const page of pages) await page.context().close();
  },
});

/** Exceptions and console errors, violations of the content security policy among them. */
function collectComplaints(page: Page): string[] {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  return complaints;
}

export { expect };
