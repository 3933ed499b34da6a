import { axpy, axpyPayload, endless, expectedOutput } from './support/programs.js';
import { expect, test } from './support/test.js';

test('both levels give the right numbers, bit for bit the same', async ({ playground }) => {
  const { page } = playground;
  await playground.openPayload(axpyPayload);
  for (const level of ['ktir', 'dataflow']) {
    await playground.showPane('Run');
    await playground.chooseOption('level', level);
    await playground.run();
    await expect(playground.runStatus()).toContainText(`Finished at level ${level}`);
    // 8 × 64 elements of 2 bytes, three tensors.
    await expect(playground.comparison()).toContainText('Bit-identical');
    await expect(playground.comparison()).toContainText('3,072 bytes');
    await expect(page.getByLabel('Tensor')).toHaveValue('o');
    expect(await playground.numbers()).toEqual(expectedOutput);
  }
  // Least, greatest and mean of (64r + c) / 4 + 1 over 512 elements.
  const facts = page.locator('.output-facts');
  await expect(facts).toContainText('min 1');
  await expect(facts).toContainText('max 128.75');
  await expect(facts).toContainText('mean 64.875');
});

test('the heatmap shows the tensor and reads out a cell', async ({ playground }) => {
  const { page } = playground;
  await playground.openPayload(axpyPayload);
  await playground.run();
  await page.getByText('Heatmap', { exact: true }).click();
  const canvas = page.getByRole('img', { name: 'Heatmap of 8 by 64 elements' });
  const box = await canvas.boundingBox();
  if (!box) throw new Error('the heatmap has no place on the page');
  // The middle of the cell in row 2, column 5.
  await canvas.hover({
    position: { x: ((5 + 0.5) * box.width) / 64, y: ((2 + 0.5) * box.height) / 8 },
  });
  await expect(page.locator('.heatmap-readout')).toHaveText('[2, 5] = 34.25');
});

test('the report has a line for every tile and every unit', async ({ playground }) => {
  const { page } = playground;
  await playground.openPayload(axpyPayload);
  await playground.run();
  const lines = page.locator('.report-table.totals tbody tr');
  await expect(lines.first()).toContainText('all 4');
  await expect(lines).toHaveCount(1 + 4);
  await playground.chooseOption('level', 'dataflow');
  await playground.run();
  await expect(page.locator('.report-table.totals')).toContainText('mnilu');
});

test('Ctrl+Enter in the editor runs', async ({ playground }) => {
  const { page } = playground;
  await playground.openPayload(axpyPayload);
  await playground.clickLine('func.func');
  await page.keyboard.press('Control+Enter');
  await playground.waitForRun();
  await expect(playground.runStatus()).toContainText('Finished');
});

test('generators are right and depend on their seed only', async ({ playground }) => {
  const { page } = playground;
  await playground.openProgram(axpy);
  await playground.showPane('Run');
  await playground.chooseSource('x', 'integers');
  await playground.argument('x').getByLabel('low').fill('3');
  await playground.argument('x').getByLabel('high').fill('5');
  await playground.chooseSource('y', 'fill');
  await playground.run();
  const first = await playground.numbers();
  // 2x for whole x from 3, below or up to 5.
  for (const value of first.flat()) expect([6, 8, 10]).toContain(value);
  await playground.run();
  expect(await playground.numbers()).toEqual(first);
  await playground.argument('x').getByLabel('seed').fill('77');
  await playground.run();
  await expect(page.locator('.results.stale')).toHaveCount(0);
  expect(await playground.numbers()).not.toEqual(first);
});

test('a long run is cancelled, and the next one works', async ({ playground }) => {
  const { page } = playground;
  await playground.openProgram(endless);
  await playground.showPane('Run');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(playground.runStatus()).toContainText(/[1-9][\d,]* instructions/);
  const start = Date.now();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(playground.runStatus()).toHaveText('Cancelled');
  expect(Date.now() - start).toBeLessThan(10_000);
  await playground.openPayload(axpyPayload);
  await playground.run();
  expect(await playground.numbers()).toEqual(expectedOutput);
});

test('the seconds of a run go on while it tells nothing', async ({ playground }) => {
  const { page } = playground;
  await playground.openPayload(axpyPayload);
  await playground.run();
  // A run that never gets to the worker is one operation without an end.
  await page.evaluate(() => {
    Worker.prototype.postMessage = () => undefined;
  });
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(playground.runStatus()).toHaveText(/: 0 instructions, [1-9]\d* s$/);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(playground.runStatus()).toHaveText('Cancelled');
});

test('checking goes on while a run is busy', async ({ playground }) => {
  const { page } = playground;
  await playground.openProgram(endless);
  await playground.showPane('Run');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(playground.runStatus()).toContainText('Running');
  await playground.clickLine('func.func');
  await page.keyboard.press('Home');
  await page.keyboard.type('bogus ');
  await expect(playground.problems().first()).toContainText('bogus');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(playground.runStatus()).toHaveText('Cancelled');
});

test('values that do not fit say which argument, what was expected and given', async ({
  playground,
}) => {
  const { page } = playground;
  await playground.openPayload(axpyPayload);
  await playground.showPane('Run');
  await playground.chooseSource('y', 'data');
  await playground.argument('y').getByLabel('values', { exact: true }).fill('1 2 3');
  await expect(playground.argument('y')).toContainText('3 of 512 values');
  await playground.run();
  const results = page.locator('.results');
  await expect(results).toContainText("'y'");
  await expect(results).toContainText('512');
  await expect(results).toContainText('3');
  await playground.chooseSource('y', 'fill');
  await playground.argument('y').getByLabel('value', { exact: true }).fill('1');
  await playground.run();
  expect(await playground.numbers()).toEqual(expectedOutput);
});

test('a field that holds what it cannot keeps the run back and says why', async ({
  playground,
}) => {
  const { page } = playground;
  await playground.openPayload(axpyPayload);
  await playground.showPane('Run');
  const field = playground.argument('y').getByLabel('value', { exact: true });
  const seed = page.getByLabel('interleaving seed');
  const alert = page.locator('.results').getByRole('alert');
  await field.fill('one');
  await seed.fill('-1');
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  await playground.run();
  await expect(playground.runStatus()).toHaveText('Failed');
  await expect(alert).toHaveText(
    "argument y, value: 'one' is not a number; correct it and run again",
  );
  await expect(field).toBeFocused();
  // What a file may hold and the field not is told as that.
  await field.fill('-inf');
  await expect(field).toHaveAttribute('title', /^'-inf' is not finite; fields take finite numbers/);
  await field.fill('1');
  await playground.run();
  await expect(alert).toHaveText(
    'options, interleaving seed: expected at least 0; correct it and run again',
  );
  await seed.fill('18446744073709551615');
  await expect(seed).toHaveAttribute(
    'title',
    /^'18446744073709551615' is too large for this field/,
  );
  await seed.fill('0.5');
  await expect(seed).toHaveAttribute('title', "'0.5' is not a whole number");
  await seed.fill('');
  await playground.chooseSource('x', 'npy');
  await playground.run();
  await expect(alert).toHaveText('argument x, .npy file: choose a file; correct it and run again');
  await playground.openPayload(axpyPayload);
  await playground.run();
  expect(await playground.numbers()).toEqual(expectedOutput);
});

test('a wrong .npy is named with the reason, a right one is used', async ({ playground }) => {
  const { page } = playground;
  await playground.openPayload(axpyPayload);
  await playground.showPane('Run');
  await playground.chooseSource('y', 'npy');
  const choose = async (name: string, buffer: Buffer): Promise<void> => {
    await playground
      .argument('y')
      .locator('input[type=file]')
      .setInputFiles({ name, mimeType: 'application/octet-stream', buffer });
    await expect(playground.argument('y')).toContainText(name);
  };
  const results = page.locator('.results');

  await choose('garbage.npy', Buffer.from('this is no tensor'));
  await playground.run();
  await expect(playground.runStatus()).toHaveText('Failed');
  await expect(results).toContainText('garbage.npy');

  await choose('short.npy', npy('<f2', [4, 64], Buffer.alloc(4 * 64 * 2)));
  await playground.run();
  await expect(playground.runStatus()).toHaveText('Failed');
  await expect(results).toContainText("'y'");

  // 0x3C00 is 1 in f16.
  const ones = Buffer.from(Array.from({ length: 8 * 64 }, () => [0x00, 0x3c]).flat());
  await choose('ones.npy', npy('<f2', [8, 64], ones));
  await playground.run();
  expect(await playground.numbers()).toEqual(expectedOutput);
});

test('a kernel outside the class still runs at level ktir', async ({ playground }) => {
  await playground.openPayload({
    ...axpyPayload,
    source: axpy.replace(
      '%s = arith.addf %xx, %ya : tensor<2x64xf16>',
      `%s0 = math.absf %xx : tensor<2x64xf16>
    %s = arith.addf %s0, %ya : tensor<2x64xf16>`,
    ),
  });
  await playground.run();
  await expect(playground.runStatus()).toContainText('Finished at level ktir');
  expect(await playground.numbers()).toEqual(expectedOutput);
  await expect(playground.comparison()).toContainText('Not compared');
});

test('a finding of a run is marked at its line', async ({ playground }) => {
  const { page } = playground;
  // Tile 3 reads rows 7 and 8 of a view with 8 rows: one row hangs over.
  await playground.openPayload({
    ...axpyPayload,
    source: axpy.replace(
      '%xt = ktdp.construct_access_tile %xv[%r, %c0]',
      '%xt = ktdp.construct_access_tile %xv[%r + 1, %c0]',
    ),
  });
  await playground.run();
  await expect(page.getByRole('region', { name: /Findings|Errors/ })).toContainText('outside');
  await expect(
    page.locator('#editor-host .squiggly-warning, #editor-host .squiggly-error'),
  ).not.toHaveCount(0);
});

/** A version 1.0 .npy file. */
function npy(descr: string, shape: number[], data: Buffer): Buffer {
  const header = `{'descr': '${descr}', 'fortran_order': False, 'shape': (${shape.join(', ')}), }`;
  const padded = header.padEnd(Math.ceil((header.length + 11) / 64) * 64 - 11) + '\n';
  const length = Buffer.alloc(2);
  length.writeUInt16LE(padded.length);
  return Buffer.concat([
    Buffer.from('\x93NUMPY\x01\x00', 'latin1'),
    length,
    Buffer.from(padded),
    data,
  ]);
}

test('the value of the name at the cursor, and what a run would cost', async ({ playground }) => {
  const { page } = playground;
  await playground.openPayload(axpyPayload);
  await playground.run();
  // 512 additions a tile for the two sums of 2 × 64 elements, 64 a cycle.
  const cost = page.getByRole('region', { name: 'Cycles per tile' });
  await expect(cost.getByRole('row')).toHaveCount(1 + 4);
  await expect(cost.getByRole('row').nth(1)).toContainText('tile 0 (slowest)');
  await expect(cost.getByRole('row').nth(1).getByRole('cell').first()).toHaveText('4');
  await page.getByLabel('profile').selectOption('measured');
  await expect(cost.getByRole('row')).toHaveCount(1 + 4);
  await page
    .getByRole('button', { name: /^Go to line/ })
    .first()
    .click();
  await expect(page.locator('.monaco-editor.focused')).toBeVisible();

  const panel = page.getByRole('region', { name: 'Value of a name' });
  await playground.clickLine('%xx = arith.addf');
  await page.keyboard.press('Home');
  await expect(panel.locator('.value-name')).toHaveText('%xx');
  await panel.getByLabel('tile').fill('3');
  await panel.getByRole('button', { name: 'Show value' }).click();
  await expect(panel.getByRole('status')).toContainText('%xx on tile 3');
  // 2x of rows 6 and 7: (64r + c) / 4.
  const rows = panel.locator('.numbers tbody tr');
  await expect(rows).toHaveCount(2);
  await expect(rows.first().getByRole('cell').first()).toHaveText(String((64 * 6) / 4));
  await expect(rows.last().getByRole('cell').nth(1)).toHaveText(String((64 * 7 + 1) / 4));
  await panel.getByLabel('tile').fill('4');
  await panel.getByRole('button', { name: 'Show value' }).click();
  await expect(panel.getByRole('status')).toContainText('the kernel runs on 4 tiles');
});
