import { axpy } from './support/programs.js';
import { expect, test } from './support/test.js';

test.beforeEach(async ({ playground }) => {
  await playground.openProgram(axpy);
  await playground.showPane('Stages');
});

test('stages are listed in order, from the input to DataflowIR', async ({ playground }) => {
  const options = playground.stages().getByRole('option');
  await expect(options.first()).toContainText('input');
  await expect(options.first()).toContainText('ktir');
  await expect(options.last()).toContainText('dataflow');
  await expect(playground.selectedStage()).toContainText('dataflow');
  const levels = await playground.stages().locator('.badge[class*="level-"]').allTextContents();
  const order = ['ktir', 'schedule', 'units', 'dataflow'];
  const ranks = levels.map((level) => order.indexOf(level));
  expect(ranks).toEqual([...ranks].sort((a, b) => a - b));
});

test('a pass shows what it changed, inline and side by side', async ({ playground }) => {
  const { page } = playground;
  await expect(page.locator('.stage-view .monaco-diff-editor')).toBeVisible();
  await expect(page.locator('.stage-view .line-insert').first()).toBeVisible();

  await page.getByText('Side by side', { exact: true }).click();
  await expect(page.locator('.stage-view .monaco-diff-editor.side-by-side')).toBeVisible();

  await page.getByText('Text', { exact: true }).click();
  await expect(page.locator('.stage-view .monaco-diff-editor')).toBeHidden();
  await expect(page.locator('.stage-view .view-lines').first()).toContainText('module');
});

test('a stage is compared with any other', async ({ playground }) => {
  const { page } = playground;
  await page.getByLabel('Compare with', { exact: true }).selectOption({ label: 'vs 0 input' });
  await playground.stage('input').click();
  await expect(page.locator('.stage-summary')).toContainText('same text as stage 0');
});

test('the list works by keyboard', async ({ playground }) => {
  const { page } = playground;
  await page.getByLabel('Filter passes').focus();
  await page.keyboard.press('ArrowDown');
  await expect(playground.stages()).toBeFocused();
  await page.keyboard.press('Home');
  await expect(playground.selectedStage()).toContainText('input');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(playground.selectedStage()).not.toContainText('input');
  await page.keyboard.press('End');
  await expect(playground.selectedStage()).toContainText('dataflow');
});

test('the filter finds passes by name and level', async ({ playground }) => {
  const { page } = playground;
  await page.getByLabel('Filter passes').fill('dataflow');
  const options = playground.stages().getByRole('option');
  await expect(options.first()).toContainText('dataflow');
  for (const text of await options.allTextContents()) expect(text).toContain('dataflow');
  await page.getByLabel('Filter passes').fill('no such pass');
  await expect(page.getByText('No pass matches the filter.')).toBeVisible();
});

test('passes that changed nothing are folded, and open', async ({ playground }) => {
  const fold = playground.stages().locator('.stage-fold').first();
  const count = await playground.stages().locator('.stage-row').count();
  const folded = Number(/^\d+/.exec((await fold.textContent()) ?? '')?.[0]);
  expect(folded).toBeGreaterThan(0);
  await fold.click();
  await expect(playground.stages().locator('.stage-row')).toHaveCount(count + folded);
});

test('validating marks every stage that was executed', async ({ playground }) => {
  const { page } = playground;
  await page.getByRole('button', { name: 'Validate' }).click();
  await expect(page.locator('.stage-note')).toContainText('all with the same result');
  await expect(playground.stage('input').locator('.executed.same')).toBeVisible();
  await expect(
    playground.stages().getByRole('option').last().locator('.executed.same'),
  ).toBeVisible();
  await expect(playground.stages().locator('.executed.differs')).toHaveCount(0);
});
