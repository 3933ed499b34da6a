import { createRequire } from 'node:module';
import { readFile } from 'node:fs/promises';
import type { AxeResults } from 'axe-core';
import type { Page } from '@playwright/test';
import { axpy, axpyPayload, expectedOutput } from './support/programs.js';
import { expect, test } from './support/test.js';

const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

test('the gallery opens every example, and each runs at every level that it is lowered to', async ({
  playground,
}) => {
  test.setTimeout(300_000);
  const { page } = playground;
  await page.getByRole('button', { name: 'Examples' }).click();
  const cards = await playground
    .dialog()
    .locator('.gallery-card')
    .evaluateAll((all) =>
      all.map((card) => ({
        name: (card as HTMLElement).dataset.example ?? '',
        isForKtir: card.querySelector('.level-ktir') !== null,
      })),
    );
  const names = cards.map(({ name }) => name);
  expect(names.length).toBeGreaterThanOrEqual(3);
  // The producer-style one is among those shown first.
  expect(names.slice(0, 4)).toEqual(expect.arrayContaining([expect.stringContaining('llama')]));
  await page.keyboard.press('Escape');
  for (const { name, isForKtir } of cards) {
    await page.getByRole('button', { name: 'Examples' }).click();
    await page.locator(`[data-example="${name}"]`).click();
    await playground.waitUntilReady();
    // One that is not lowered says why, which is no fault of it.
    await expect(playground.status(), name).toHaveText('Ready');
    await expect(page.locator('#problems-count'), name).not.toContainText('error');
    await expect(page.locator('.stage-end.note'), name).toHaveCount(isForKtir ? 1 : 0);
    await playground.run();
    await expect(playground.runStatus(), name).toContainText('Finished at level ktir');
    if (isForKtir) await expect(playground.comparison(), name).toHaveCount(0);
    else await expect(playground.comparison(), name).toContainText('Bit-identical');
  }
  const isForKtir = Object.fromEntries(cards.map((card) => [card.name, card.isForKtir]));
  expect(isForKtir).toMatchObject({ 'vector-add': false, 'llama-copy': false, embedding: true });
});

test('a kernel for level ktir is at fault once it is to run at level dataflow', async ({
  playground,
}) => {
  const { page } = playground;
  await page.getByRole('button', { name: 'Examples' }).click();
  await page.locator('[data-example="embedding"]').click();
  await playground.waitUntilReady();
  const end = page.locator('.stage-end');
  await expect(end).toHaveText(/^this kernel is for level ktir: ./);
  await expect(playground.problems()).toHaveText([/note: this kernel is for level ktir: ./]);
  await expect(page.locator('#editor-host .squiggly-error')).toHaveCount(0);
  await playground.showPane('Run');
  await page.getByLabel('compare with the other level').check();
  await expect(playground.status()).toHaveText(/1 error/);
  await expect(page.locator('#editor-host .squiggly-error')).not.toHaveCount(0);
  await playground.showPane('Stages');
  await expect(end).toHaveClass(/error/);
  await expect(end).not.toContainText('for level ktir');
  await playground.showPane('Run');
  await page.getByLabel('compare with the other level').uncheck();
  await expect(playground.status()).toHaveText('Ready');

  // What breaks a rule of the language is at fault at every level.
  const source = axpy.replace('grid = [4]', 'grid = [0]');
  await playground.openPayload({ v: 1, source, options: { compare: false } });
  await expect(playground.problems()).toHaveText([/^error: /]);
  await expect(playground.status()).toHaveText('Ready · 1 error');
});

test('an example with open extents opens with the shapes of its run', async ({ playground }) => {
  const { page } = playground;
  await page.getByRole('button', { name: 'Examples' }).click();
  await page.locator('[data-example="softmax"]').click();
  await playground.waitUntilReady();
  await playground.showPane('Run');
  const x = playground.argument('x');
  await expect(x.getByLabel('extent 0')).toHaveValue('128');
  // Fields of one argument do not undo each other.
  await x.getByLabel('extent 0').fill('64');
  await x.getByLabel('seed').fill('7');
  await expect(x.getByLabel('extent 0')).toHaveValue('64');
  await playground.argument('out').getByLabel('extent 0').fill('64');
  await playground.argument('rows').getByLabel('value').fill('64');
  await playground.run();
  await expect(playground.runStatus()).toContainText('Finished at level ktir');
});

test('settings and the program survive a reload', async ({ playground }) => {
  const { page } = playground;
  await playground.openPayload(axpyPayload);
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByLabel('Theme').selectOption('dark');
  await page.getByLabel('Font size').selectOption('16');
  await page.keyboard.press('Escape');
  await page.getByRole('separator', { name: 'Width of the program' }).focus();
  for (let i = 0; i < 5; ++i) await page.keyboard.press('ArrowRight');
  const width = (await page.locator('#source-column').boundingBox())?.width;

  await page.reload();
  await playground.waitUntilReady();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expect(page.locator('#editor-host .view-line').first()).toHaveCSS('font-size', '16px');
  expect((await page.locator('#source-column').boundingBox())?.width).toBeCloseTo(width ?? 0, 0);
  expect(await playground.program()).toContain('func.func @axpy');
  await playground.run();
  expect(await playground.numbers()).toEqual(expectedOutput);
});

test('the theme follows the system unless chosen', async ({ playground }) => {
  const { page } = playground;
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await page.emulateMedia({ colorScheme: 'light' });
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
});

test.describe('offline', () => {
  test.use({ serviceWorkers: 'allow' });

  test('the page works without its host once it is loaded', async ({
    ownPlayground: playground,
    ownServer: server,
  }) => {
    const { page } = playground;
    const files = (await (await page.request.get(`${server.url}precache.json`)).json()) as string[];
    expect(files.some((file) => file.endsWith('.wasm'))).toBe(true);
    await expect
      .poll(() =>
        page.evaluate(async () => {
          const cache = await caches.open('ktir-playground');
          return (await cache.keys()).length;
        }),
      )
      .toBeGreaterThanOrEqual(files.length);
    await server.close();
    await page.reload();
    await playground.waitUntilReady();
    await playground.openPayload(axpyPayload);
    await playground.run();
    expect(await playground.numbers()).toEqual(expectedOutput);
  });
});

for (const scheme of ['light', 'dark'] as const) {
  test(`no serious accessibility violation, ${scheme}`, async ({ playground }) => {
    const { page } = playground;
    // The two differ in their colours only.
    const rules = scheme === 'light' ? undefined : ['color-contrast'];
    await page.emulateMedia({ colorScheme: scheme });
    await playground.openPayload(axpyPayload);
    await playground.showPane('Stages');
    await expect(
      page.locator('.stage-view .monaco-editor').filter({ visible: true }).first(),
    ).toBeVisible();
    expect(await seriousViolations(page, rules)).toEqual([]);
    await playground.run();
    expect(await seriousViolations(page, rules)).toEqual([]);
    await page.getByText('Heatmap', { exact: true }).click();
    expect(await seriousViolations(page, rules)).toEqual([]);
    for (const name of ['Examples', 'Share', 'Settings']) {
      await page.getByRole('button', { name, exact: true }).click();
      await expect(playground.dialog()).toBeVisible();
      expect(await seriousViolations(page, rules)).toEqual([]);
      await page.keyboard.press('Escape');
    }
    await playground.openProgram(axpy.replace('%xx = arith.addf', '%xx = arith.adddf'));
    await expect(playground.problems().first()).toBeVisible();
    expect(await seriousViolations(page, rules)).toEqual([]);
  });
}

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('every view is reached and nothing is cut off', async ({ ownPlayground: playground }) => {
    const { page } = playground;
    const views = page.getByRole('navigation', { name: 'Views' });
    for (const [name, selector] of [
      ['Stages', '.stage-list'],
      ['Run', '.arguments'],
      ['Problems', '#problems-list'],
      ['Program', '#editor-host'],
    ] as const) {
      await views.getByRole('button', { name }).click();
      await expect(page.locator(selector)).toBeVisible();
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - window.innerWidth,
      );
      expect(overflow).toBeLessThanOrEqual(0);
    }
    await expect(page.getByRole('button', { name: 'Settings' })).toBeInViewport({ ratio: 1 });
    await views.getByRole('button', { name: 'Run' }).click();
    await page.getByRole('button', { name: 'Run', exact: true }).last().click();
    await playground.waitForRun();
    await expect(playground.runStatus()).toContainText('Finished');
  });
});

test('the whole page is reached by keyboard', async ({ playground }) => {
  const { page } = playground;
  await playground.openProgram(axpy);
  await page.getByRole('button', { name: 'Examples' }).focus();
  const reached = new Set<string>();
  // In the editor Tab indents until Ctrl+M lets it go on.
  await playground.clickLine('func.func');
  await page.keyboard.press('Control+M');
  await page.getByRole('button', { name: 'Examples' }).focus();
  for (let i = 0; i < 40; ++i) {
    await page.keyboard.press('Tab');
    reached.add(
      await page.evaluate(() => {
        const element = document.activeElement;
        return (element?.getAttribute('aria-label') ?? element?.textContent.trim() ?? '').slice(
          0,
          40,
        );
      }),
    );
  }
  const labels = [...reached].join('\n');
  for (const label of [
    'Open',
    'Share',
    'Settings',
    'kernel.mlir',
    'Width of the program',
    'Filter passes',
    'Stages',
    'Compare with',
    'Validate',
  ]) {
    expect(labels).toContain(label);
  }
});

/** Violations of some rules, by default of all. */
async function seriousViolations(page: Page, rules?: string[]): Promise<string[]> {
  await page.evaluate(await readFile(axePath, 'utf8'));
  const options = JSON.stringify({ resultTypes: ['violations'], runOnly: rules });
  const results = await page.evaluate<AxeResults>(`axe.run(document, ${options})`);
  return results.violations
    .filter((violation) => violation.impact === 'serious' || violation.impact === 'critical')
    .map(
      (violation) =>
        `${violation.id}: ${violation.nodes.map((node) => node.target.join(' ')).join('; ')}`,
    );
}
