import { inflateRawSync } from 'node:zlib';
import { readFile } from 'node:fs/promises';
import { makeLink } from './support/link.js';
import { axpy, axpyPayload, expectedOutput } from './support/programs.js';
import { expect, test } from './support/test.js';

const recorded = new URL('./fixtures/link-v1.txt', import.meta.url);

test('a link reproduces program, arguments, options, view and stage', async ({
  playground,
  openFresh,
}) => {
  const { page } = playground;
  await playground.openPayload(axpyPayload);
  await playground.showPane('Run');
  await playground.chooseOption('level', 'dataflow');
  await playground.chooseOption('numerics', 'device');
  await playground.page.getByLabel('channel depth').fill('1');
  await playground.page.getByLabel('interleaving seed').fill('9');
  await playground.showPane('Stages');
  await page.getByText('Side by side', { exact: true }).click();
  await playground.stages().focus();
  await page.keyboard.press('ArrowUp');
  const stage = await playground.selectedStage().textContent();
  await page.getByRole('button', { name: 'Share' }).click();
  const link = await page.getByLabel('Link').inputValue();

  const payload = readLink(link);
  expect(payload).toMatchObject({
    v: 1,
    source: axpy,
    args: axpyPayload.args,
    options: { level: 'dataflow', numerics: 'device', channelDepth: 1, interleaving: 9 },
    view: { mode: 'split' },
  });
  // Defaults are left out.
  expect(Object.keys(payload.options as object)).not.toContain('checks');
  expect(Object.keys(payload)).not.toContain('device');

  const other = await openFresh(new URL(link).hash);
  expect(await other.program()).toContain('func.func @axpy');
  await expect(other.selectedStage()).toHaveText(stage ?? '');
  await expect(other.page.locator('.monaco-diff-editor.side-by-side')).toBeVisible();
  await other.showPane('Run');
  await expect(other.page.getByLabel('level', { exact: true })).toHaveValue('dataflow');
  await expect(other.page.getByLabel('numerics')).toHaveValue('device');
  await other.run();
  // Numbers of this size are exact in the device's format only up to 9 fraction
  // bits, so the values are compared with those of the first page.
  await page.keyboard.press('Escape');
  await playground.run();
  expect(await other.numbers()).toEqual(await playground.numbers());
});

test('the recorded link of version 1 still opens', async ({ openFresh }) => {
  const link = (await readFile(recorded, 'utf8')).trim();
  const playground = await openFresh(link);
  expect(await playground.program()).toContain('func.func @axpy');
  await expect(playground.page.getByRole('tab', { name: 'Run' })).toHaveAttribute(
    'aria-selected',
    'true',
  );
  await expect(playground.page.getByLabel('level', { exact: true })).toHaveValue('dataflow');
  await expect(playground.page.getByLabel('checks')).not.toBeChecked();
  await playground.run();
  expect(await playground.numbers()).toEqual(expectedOutput);
});

const broken: [what: string, hash: string, reason: RegExp, raw: string][] = [
  ['is cut off', '#k1=q1YqU', /cut off|damaged/, 'q1YqU'],
  ['has foreign characters', '#k1=%00%00', /characters/, '%00'],
  ['is none of this page', '#junk', /begin with '#k1='/, '#junk'],
  ['is of a later format', '#k2=AAAA', /newer/, '#k2=AAAA'],
  ['is of a later version', makeLink({ v: 99, source: 'text' }), /newer/, '"v":99'],
  ['has no version', makeLink({ source: 'text' }), /version/, '"source":"text"'],
  ['has no program', makeLink({ v: 1 }), /source/, '"v":1'],
  [
    'has a wrong option',
    makeLink({ v: 1, source: '', options: { level: 'moon' } }),
    /level/,
    'moon',
  ],
  ['has a wrong argument', makeLink({ v: 1, source: '', args: { x: 'y' } }), /'x'/, '"x":"y"'],
  ['holds no JSON', makeLink('module {'), /JSON/, 'module {'],
  ['inflates without end', makeLink('0'.repeat(1 << 21)), /more than 1048576/, '#k1='],
];

test('a broken link is explained, and the page works', async ({ playground }) => {
  for (const [what, hash, reason, raw] of broken) {
    await test.step(`a link that ${what}`, async () => {
      // Another page in between, so that the address is opened and not only changed.
      await playground.page.goto('about:blank');
      await playground.openAt(hash);
      await expect(playground.dialog().getByRole('alert')).toHaveText(reason);
      await expect(playground.dialog().getByLabel('Text of the link')).toHaveValue(
        new RegExp(raw.replaceAll(/[{}"$^*+?.()|[\]\\]/g, '\\$&')),
      );
      await playground.page.keyboard.press('Escape');
      await playground.openProgram(axpy);
      await expect(playground.stages().getByRole('option').last()).toContainText('dataflow');
    });
  }
});

test('an edit takes the link out of the address', async ({ openFresh }) => {
  const playground = await openFresh(makeLink({ v: 1, source: axpy }));
  await playground.clickLine('func.func');
  await playground.page.keyboard.type(' ');
  await expect.poll(() => new URL(playground.page.url()).hash).toBe('');
});

test('Markdown holds the program and the link', async ({ playground }) => {
  await playground.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await playground.openPayload(axpyPayload);
  await playground.page.getByRole('button', { name: 'Share' }).click();
  const link = await playground.page.getByLabel('Link').inputValue();
  await playground.page.getByRole('button', { name: 'Copy as Markdown' }).click();
  await expect(playground.page.getByRole('status').filter({ hasText: 'copied' })).toBeVisible();
  const text = await playground.page.evaluate(() => navigator.clipboard.readText());
  expect(text).toContain(link);
  expect(text).toContain(`\`\`\`mlir\n${axpy}\`\`\``);
});

test('the file holds the same and opens again', async ({ playground }) => {
  await playground.openPayload(axpyPayload);
  await playground.page.getByRole('button', { name: 'Share' }).click();
  const download = playground.page.waitForEvent('download');
  await playground.page.getByRole('button', { name: 'Download as JSON' }).click();
  const path = await (await download).path();
  const text = await readFile(path, 'utf8');
  expect(JSON.parse(text)).toMatchObject(axpyPayload);
  await playground.page.keyboard.press('Escape');
  await playground.openProgram('// nothing here');
  await playground.open('kernel.ktir.json', text);
  await expect.poll(() => playground.program()).toContain('@axpy');
  await playground.waitUntilReady();
  await playground.run();
  expect(await playground.numbers()).toEqual(expectedOutput);
});

function readLink(link: string): Record<string, unknown> {
  const body = new URL(link).hash.replace('#k1=', '');
  const text = inflateRawSync(Buffer.from(body, 'base64url')).toString('utf8');
  return JSON.parse(text) as Record<string, unknown>;
}
