import { axpy } from './support/programs.js';
import { expect, test } from './support/test.js';

test('an error is marked where it is, listed, and gone once fixed', async ({ playground }) => {
  const { page } = playground;
  await playground.openProgram(axpy);
  await expect(page.getByRole('list', { name: 'Problems' })).toHaveText('No problems.');

  await playground.clickLine('%xx = arith.addf');
  await page.keyboard.press('Home');
  await page.keyboard.type('bogus ');
  await expect(playground.problems().first()).toContainText('bogus');
  // The line of '%xx' in the program.
  await expect(playground.problems().first()).toContainText('18:5');
  await expect(page.locator('#editor-host .squiggly-error')).not.toHaveCount(0);
  await expect(page.locator('#problems-count')).toHaveText('1 error');
  await expect(playground.status()).toHaveText('Ready · 1 error');

  await page.keyboard.press('Home');
  let left = 'bogus '.length;
  while (left-- > 0) await page.keyboard.press('Delete');
  await expect(page.getByRole('list', { name: 'Problems' })).toHaveText('No problems.');
  await expect(page.locator('#editor-host .squiggly-error')).toHaveCount(0);
  await expect(playground.status()).toHaveText('Ready');
  await expect(playground.stages().getByRole('option').last()).toContainText('dataflow');
});

test('a problem leads to its place', async ({ playground }) => {
  const { page } = playground;
  await playground.openProgram(axpy.replace('%xx = arith.addf', '%xx = arith.adddf'));
  await playground.problems().first().getByRole('button').click();
  await expect(page.locator('#editor-host .monaco-editor').first()).toHaveClass(/focused/);
  await expect(page.locator('#editor-host .active-line-number')).toHaveText('18');
});

test('text that is no program leaves the page usable', async ({ playground }) => {
  for (const garbage of ['}}}} <<<', '\u0000\u0007', '"'.repeat(500), 'module {'.repeat(300)]) {
    await playground.open('kernel.mlir', garbage);
    await playground.waitUntilReady();
    await expect(playground.problems().first()).toBeVisible();
  }
  await playground.openProgram(axpy);
  await expect(playground.stages().getByRole('option').last()).toContainText('dataflow');
});

test('a kernel outside the class keeps the stages before the failing pass', async ({
  playground,
}) => {
  await playground.openProgram(
    axpy
      .replace('arith.addf %xa, %xa', 'arith.addf %xa, %xa')
      .replace(
        '%s = arith.addf %xx, %ya : tensor<2x64xf16>',
        '%s = math.exp %xx : tensor<2x64xf16>',
      ),
  );
  await expect(playground.problems().first()).toContainText('math.exp');
  await expect(playground.stage('input')).toBeVisible();
  await expect(playground.page.locator('.stage-end.error')).toContainText('math.exp');
});

test('an older form is a warning that a fix does away with', async ({ playground }) => {
  const { page } = playground;
  await playground.openProgram(
    axpy.replace('#ktdp.memory_space<global>', '#ktdp.spyre_memory_space<HBM>'),
  );
  const warning = playground.problems().filter({ hasText: 'spyre_memory_space' });
  await expect(warning).toHaveCount(1);
  await warning.click();
  await page.keyboard.press('Control+.');
  await page.getByRole('option', { name: /^Rewrite: / }).click();
  await expect(playground.problems()).toHaveCount(0);
  await expect.poll(() => playground.program()).not.toContain('spyre_memory_space');
});

test('the program is formatted, comments kept', async ({ playground }) => {
  const { page } = playground;
  await playground.openProgram(`// what it does\n${axpy.replaceAll('    ', '        ')}`);
  await playground.clickLine('func.func');
  await page.keyboard.press('Shift+Alt+F');
  await expect.poll(() => playground.program()).toContain('\n  func.func @axpy(%x: index');
  expect(await playground.program()).toContain('// what it does\n');
  await playground.waitUntilReady();
  await expect(playground.problems()).toHaveCount(0);
});

test('a compiler that stops is restarted', async ({ ownPlayground: playground, ownServer }) => {
  const { page } = playground;
  // Gives the test a hand on the workers.
  await page.addInitScript(() => {
    const workers: Worker[] = [];
    Object.assign(window, { startedWorkers: workers });
    window.Worker = class extends Worker {
      constructor(...parameters: ConstructorParameters<typeof Worker>) {
        super(...parameters);
        // The editor has a worker too, which reports its errors in the console.
        if (!String(parameters[0]).includes('editor')) workers.push(this);
      }
    };
  });
  await page.goto(ownServer.url);
  await playground.waitUntilReady();
  await page.evaluate(() => {
    const { startedWorkers } = window as unknown as { startedWorkers: Worker[] };
    for (const worker of startedWorkers) {
      worker.dispatchEvent(new ErrorEvent('error', { message: 'trapped' }));
    }
  });
  await playground.openProgram(axpy);
  await expect(playground.stages().getByRole('option').last()).toContainText('dataflow');
});

test('the parts of a program have colours of their own', async ({ playground }) => {
  await playground.openProgram(`// a comment\n${axpy}`);
  const parts = [
    '// a comment',
    'affine_set',
    '@axpy',
    'memref',
    'get_compute_tile_id',
    'constant',
  ];
  const colors = (): Promise<string[]> =>
    playground
      .editor()
      .locator('.view-line span span')
      .evaluateAll(
        (spans, wanted) =>
          wanted.map((text) => {
            const span = spans.find(({ textContent }) =>
              textContent.replaceAll('\u00a0', ' ').includes(text),
            );
            return span === undefined ? 'absent' : getComputedStyle(span).color;
          }),
        parts,
      );
  // The editor colours its lines a moment after it shows them.
  await expect
    .poll(async () => new Set(await colors()).size, { intervals: [50] })
    .toBe(parts.length);
});
