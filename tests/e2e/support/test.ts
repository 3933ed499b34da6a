import { fileURLToPath } from 'node:url';
import { test as base, expect, type Page } from '@playwright/test';
import { makeLink } from './link.js';
import { Playground } from './playground.js';
import { serveFolder, type StaticServer } from './static-server.js';

const dist =
  process.env.KTIR_PLAYGROUND ?? fileURLToPath(new URL('../../../web/dist/', import.meta.url));

/** The stages of an example cost each test seconds that it has no use for. */
const emptyProgram = makeLink({ v: 1, source: 'module {\n}\n' });

interface Fixtures {
  /** The page, loaded anew in a browser that remembers nothing, with an empty program. */
  playground: Playground;
  /** The page with the first example, in a context of its own: for tests with options or
   * scripts of theirs. */
  ownPlayground: Playground;
  /** The host of `ownPlayground`, which the test may stop. */
  ownServer: StaticServer;
  /** Opens the page at an address of its own, in a browser that knows nothing. */
  openFresh: (hash: string) => Promise<Playground>;
}

interface WorkerFixtures {
  server: StaticServer;
  /** The page that tests take over from one another: loading it again takes a
   * third of what it takes in a new context, which compiles all of it. */
  sharedPage: Page;
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  server: [
    async ({}, use) => {
      const server = await serveFolder(dist);
      await use(server);
      await server.close();
    },
    { scope: 'worker' },
  ],

  sharedPage: [
    async ({ browser }, use) => {
      const context = await browser.newContext({
        serviceWorkers: 'block',
        viewport: { width: 1366, height: 860 },
      });
      await use(await context.newPage());
      await context.close();
    },
    { scope: 'worker' },
  ],

  playground: async ({ sharedPage, server }, use) => {
    await forgetEverything(sharedPage, server.url);
    await usePlayground(sharedPage, server.url, emptyProgram, use);
  },

  ownServer: async ({}, use) => {
    const server = await serveFolder(dist);
    await use(server);
    await server.close();
  },

  ownPlayground: async ({ page, ownServer }, use) => {
    await usePlayground(page, ownServer.url, '', use);
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

/** Leaves the page and takes away what it or a test before may have kept. */
async function forgetEverything(page: Page, url: string): Promise<void> {
  await page.goto('about:blank');
  await page.emulateMedia({ colorScheme: null });
  await page.context().clearPermissions();
  const session = await page.context().newCDPSession(page);
  await session.send('Storage.clearDataForOrigin', {
    origin: new URL(url).origin,
    storageTypes: 'all',
  });
  await session.detach();
}

async function usePlayground(
  page: Page,
  url: string,
  hash: string,
  use: (playground: Playground) => Promise<void>,
): Promise<void> {
  page.removeAllListeners();
  const complaints = collectComplaints(page);
  const playground = new Playground(page, url);
  await playground.openAt(hash);
  await use(playground);
  expect(complaints, 'errors in the console').toEqual([]);
}

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
