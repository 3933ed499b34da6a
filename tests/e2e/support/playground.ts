import { expect, type Locator, type Page } from '@playwright/test';

/** The page as a person uses it: by roles and names. */
export class Playground {
  constructor(
    readonly page: Page,
    private readonly url: string,
  ) {}

  readonly status = (): Locator => this.page.locator('#status');
  readonly problems = (): Locator =>
    this.page.getByRole('list', { name: 'Problems' }).locator('.diagnostic');
  readonly stages = (): Locator => this.page.getByRole('listbox', { name: 'Stages' });
  readonly stage = (name: string): Locator =>
    this.stages().getByRole('option').filter({ hasText: name });
  readonly selectedStage = (): Locator => this.stages().locator('[aria-selected="true"]');
  readonly editor = (): Locator => this.page.locator('#editor-host .monaco-editor').first();
  readonly runStatus = (): Locator => this.page.locator('.run-status');
  readonly comparison = (): Locator => this.page.locator('.comparison');
  readonly dialog = (): Locator => this.page.getByRole('dialog');
  readonly argument = (name: string): Locator =>
    this.page.getByRole('group', { name: `Argument ${name}`, exact: true });

  /** Opens the page with a fragment, which may be empty. */
  async openAt(hash: string): Promise<void> {
    await this.page.goto(this.url + hash);
    await this.waitUntilReady();
  }

  async waitUntilReady(): Promise<void> {
    await this.waitForText('#status', 'Ready', 120_000);
  }

  /** Waits for a text; an assertion would look once a second, which adds up. */
  private async waitForText(selector: string, pattern: string, timeout: number): Promise<void> {
    await this.page.waitForFunction(
      ([where, what]) =>
        new RegExp(`^${what}`).test(document.querySelector(where)?.textContent.trim() ?? ''),
      [selector, pattern] as const,
      { timeout, polling: 50 },
    );
  }

  /** Opens a file, through the button. */
  async open(name: string, content: string): Promise<void> {
    const chooser = this.page.waitForEvent('filechooser');
    await this.page.getByRole('button', { name: 'Open', exact: true }).click();
    await (await chooser).setFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(content) });
  }

  async openProgram(source: string): Promise<void> {
    await this.open('kernel.mlir', source);
    await expect.poll(() => this.program(), { intervals: [50] }).toContain(firstWords(source));
    await this.waitUntilReady();
  }

  async openPayload(payload: unknown): Promise<void> {
    await this.open('kernel.ktir.json', JSON.stringify(payload));
    await this.waitUntilReady();
  }

  /** The lines of the program that are on the screen, all of one moment. */
  async program(): Promise<string> {
    return this.editor()
      .locator('.view-line')
      .evaluateAll((lines) =>
        lines
          .map((line) => ({
            top: line.getBoundingClientRect().top,
            text: line.textContent.replaceAll('\u00a0', ' '),
          }))
          .sort((a, b) => a.top - b.top)
          .map(({ text }) => text)
          .join('\n'),
      );
  }

  /** Puts the cursor into the first line with this text, near its start. */
  async clickLine(text: string): Promise<void> {
    // Lines are as wide as the longest; their middle may be out of sight.
    await this.editor()
      .locator('.view-line', { hasText: text })
      .first()
      .click({ position: { x: 20, y: 8 } });
  }

  async showPane(name: 'Stages' | 'Run'): Promise<void> {
    await this.page.getByRole('tab', { name: new RegExp(`^${name}`) }).click();
  }

  async chooseOption(label: string, value: string): Promise<void> {
    await this.page
      .getByRole('group', { name: 'Options' })
      .getByLabel(label, { exact: true })
      .selectOption(value);
  }

  async chooseSource(argument: string, source: string): Promise<void> {
    await this.argument(argument).getByLabel('source of the values').selectOption(source);
  }

  /** Runs and waits for the end. */
  async run(): Promise<void> {
    await this.showPane('Run');
    await this.page.getByRole('button', { name: 'Run', exact: true }).click();
    await this.waitForRun();
  }

  async waitForRun(): Promise<void> {
    await this.waitForText('.run-status', '(Finished|Failed|Cancelled)', 90_000);
  }

  /** Every number of the table, row by row, exactly. */
  async numbers(): Promise<number[][]> {
    return this.page
      .locator('table.numbers tbody tr')
      .evaluateAll((rows) =>
        rows.map((row) =>
          [...row.querySelectorAll('td')].map((cell) => Number(cell.getAttribute('title'))),
        ),
      );
  }
}

function firstWords(source: string): string {
  return (source.split('\n').find((line) => line.trim() !== '') ?? '').slice(0, 40);
}
