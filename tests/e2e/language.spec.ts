import type { Locator } from '@playwright/test';
import { axpy } from './support/programs.js';
import type { Playground } from './support/playground.js';
import { expect, test } from './support/test.js';

/** A word of the editor; `line` is text that only its line has. */
function word(playground: Playground, line: string, name: string): Locator {
  return playground
    .editor()
    .locator('.view-line', { hasText: line })
    .first()
    .locator('span span', { hasText: name })
    .first();
}

/** Hovers over a word until the hover has a text: one that is drawn at that moment is lost. */
async function expectHover(playground: Playground, over: Locator, text: string): Promise<void> {
  await expect(async () => {
    await playground.status().hover();
    await over.hover();
    await expect(playground.page.locator('.monaco-hover').first()).toContainText(text, {
      timeout: 5_000,
    });
  }).toPass();
}

/** Line of the first line with this text, from 1. */
function lineOf(text: string): string {
  return String(axpy.split('\n').findIndex((line) => line.includes(text)) + 1);
}

test('a hover says what a tile selects', async ({ playground }) => {
  await playground.openProgram(axpy);
  const tile = word(playground, '%xt = ktdp.construct_access_tile', '%xt');
  // Tile t of the program starts at row 2t and takes two rows.
  await expectHover(
    playground,
    tile,
    'Rows 2t … 2t+1, columns 0 … 63 of an 8 × 64 f16 view in device memory.',
  );
});

test('a hover goes on while the text is broken', async ({ playground }) => {
  const { page } = playground;
  await playground.openProgram(axpy);
  await playground.clickLine('ktdp.store %s');
  await page.keyboard.press('Home');
  await page.keyboard.type('nonsense ');
  await expect(playground.problems().first()).toBeVisible();
  const tile = word(playground, '%xt = ktdp.construct_access_tile', '%xt');
  await expectHover(playground, tile, 'Rows 2t … 2t+1');
});

test('F12 goes to the definition', async ({ playground }) => {
  const { page } = playground;
  await playground.openProgram(axpy);
  const active = page.locator('#editor-host .active-line-number').first();
  await word(playground, 'ktdp.store %s', '%s').click();
  await expect(active).toHaveText(lineOf('ktdp.store %s'));
  await page.keyboard.press('F12');
  await expect(active).toHaveText(lineOf('%s = arith.addf'));
});

test('values in scope are offered as they are typed', async ({ playground }) => {
  const { page } = playground;
  await playground.openProgram(axpy);
  await playground.clickLine('%s = arith.addf');
  await page.keyboard.press('Home');
  await page.keyboard.type('arith.negf %');
  const offers = page.locator('.suggest-widget').getByRole('option');
  // The nearest value first, and none that comes later.
  await expect(offers.first()).toContainText('%xx');
  await expect(offers.filter({ hasText: '%s' })).toHaveCount(0);
});

test('arguments have a colour of their own', async ({ playground }) => {
  await playground.openProgram(axpy);
  const colorOf = (line: string, name: string): Promise<string> =>
    word(playground, line, name).evaluate((element) => getComputedStyle(element).color);
  await expect
    .poll(async () => (await colorOf('func.func', '%x')) !== (await colorOf('%xx = ', '%xx')))
    .toBe(true);
});
