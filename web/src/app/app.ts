import { Checker, describeFailure, type Checked, type CheckerStatus } from '../compiler/checker.ts';
import type { Diagnostic, KernelInfo, RemoteCompiler } from '../compiler/api.ts';
import { KtirError } from '../compiler/api.ts';
import { Cancelled, Runner, type RunRequest } from '../compiler/runner.ts';
import { createSourceEditor, type DocumentId, type SourceEditor } from '../editor/source-editor.ts';
import { KeyCode, KeyMod } from '../editor/monaco.ts';
import { offerFixes, registerFixes } from '../editor/fixes.ts';
import { registerLanguageProviders } from '../editor/language-providers.ts';
import { showMarkers } from '../editor/markers.ts';
import { examples } from '../gallery/examples.ts';
import { openGallery } from '../gallery/gallery.ts';
import { bindArguments, withoutDefaults } from '../model/arguments.ts';
import { asNotes, isForKtir } from '../model/lowering.ts';
import { readJson, saveSettings, writeJson, type Settings } from '../model/settings.ts';
import { emptyWorkspace, type RunChoices, type Workspace } from '../model/workspace.ts';
import { isInProgram } from '../panes/diagnostics-list.ts';
import { createProblems, summary } from '../panes/problems.ts';
import { createRunPane } from '../panes/run/run-pane.ts';
import { createStagesPane } from '../panes/stages/stages-pane.ts';
import { embedSmallFiles } from '../share/embed.ts';
import { decodeLink, isLink, LinkError } from '../share/link.ts';
import { fromPayload, toPayload } from '../share/payload.ts';
import { openBrokenLinkDialog, openShareDialog } from '../share/share-dialog.ts';
import { announce } from '../ui/announce.ts';
import { byId, h } from '../ui/dom.ts';
import { icon } from '../ui/icons.ts';
import { openSettingsDialog } from '../ui/settings-dialog.ts';
import { createTabs } from '../ui/tabs.ts';
import { createAppearance } from './appearance.ts';
import { acceptDrops, chooseFile, readWorkspaceFile } from './files.ts';
import { createLayout } from './layout.ts';

const draftKey = 'ktir-playground.draft';

/** Wires the panes, the compiler and the storage of the page together. */
export class App {
  readonly #checker: Checker;
  readonly #runner: Runner;
  readonly #editor: SourceEditor;
  readonly #files = new Map<string, { name: string; bytes: Uint8Array }>();
  #workspace: Workspace = emptyWorkspace();
  #running: AbortController | undefined;
  #status: CheckerStatus = 'loading';
  #isLoading = false;
  #draftTimer: number | undefined;

  readonly #layout;
  readonly #appearance;
  readonly #problems;
  readonly #stages;
  readonly #run;
  readonly #resultTabs;
  readonly #documentTabs;

  constructor(
    private settings: Settings,
    connect: () => RemoteCompiler,
  ) {
    this.#checker = new Checker(connect);
    this.#runner = new Runner(connect);
    registerFixes((source) => this.#checker.format(source));
    this.#appearance = createAppearance(settings.theme);
    this.#layout = createLayout(
      settings,
      (part) => this.#saveSettings(part),
      (view) => {
        if (view === 'stages' || view === 'run') this.#resultTabs.select(view);
      },
    );
    this.#editor = createSourceEditor(
      byId('editor-host', HTMLElement),
      settings,
      (document) => this.#documentChanged(document),
      () => void this.#startRun(),
    );
    registerLanguageProviders(this.#editor.model, (source) =>
      this.#checker.language(source, this.#editor.text('device')),
    );
    this.#editor.editor.addAction({
      id: 'ktir.showValue',
      label: 'Show the value of this name',
      keybindings: [KeyMod.Alt | KeyCode.KeyV],
      contextMenuGroupId: 'navigation',
      run: () => this.#showValue(),
    });
    this.#editor.editor.onDidChangeCursorPosition(() =>
      this.#run.value.showName(this.#editor.nameAtCursor()?.name),
    );
    const reveal = this.#reveal.bind(this);
    this.#problems = createProblems(
      byId('problems-list', HTMLElement),
      byId('problems-count', HTMLElement),
      reveal,
    );
    this.#stages = createStagesPane(settings, {
      onChange: () => this.#viewChanged(),
      onValidate: () => void this.#validate(),
      onCancelValidate: () => this.#running?.abort(),
    });
    this.#run = createRunPane({
      reveal,
      hasFile: (name) => this.#files.has(name),
      onChoice: (name, choice) => {
        this.#workspace.args[name] = choice;
        this.#choicesChanged();
      },
      onFile: (name, file) => this.#files.set(name, file),
      onKernel: (name) => {
        this.#workspace.kernel = name === this.#checker.current?.kernels[0]?.name ? '' : name;
        this.#showForm();
        this.#choicesChanged();
      },
      onOptions: (options) => {
        const wasForKtir = this.#isForKtir();
        this.#workspace.options = options;
        if (this.#isForKtir() !== wasForKtir) this.#showVerdict();
        this.#choicesChanged();
      },
      onRun: () => void this.#startRun(),
      onShowValue: () => void this.#showValue(),
      onCancel: () => this.#running?.abort(),
      onReset: () => {
        this.#workspace.args = {};
        this.#files.clear();
        this.#showForm();
        this.#choicesChanged();
      },
    });
    this.#resultTabs = createTabs(
      'Results',
      [
        { id: 'stages' as const, label: 'Stages', panel: this.#stages.element },
        { id: 'run' as const, label: 'Run', panel: this.#run.element },
      ],
      'stages',
      (pane) => {
        this.#workspace.view.pane = pane;
        this.#viewChanged();
      },
    );
    this.#documentTabs = createTabs<DocumentId>(
      'Documents',
      [
        { id: 'source', label: 'kernel.mlir', panel: byId('editor-host', HTMLElement) },
        { id: 'device', label: 'device.mlir', panel: byId('editor-host', HTMLElement) },
      ],
      'source',
      (document) => this.#editor.show(document),
    );
    this.#buildHeads();
    this.#checker.onStatus.subscribe(({ status, message }) => this.#showStatus(status, message));
    this.#checker.onChecked.subscribe((checked) => this.#showChecked(checked));
    acceptDrops(document.body, (file) => void this.#openFile(file));
    window.addEventListener('hashchange', () => void this.#openLink());
    window.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
      // The editor handles the key itself.
      if (event.defaultPrevented || document.querySelector('dialog[open]')) return;
      event.preventDefault();
      void this.#startRun();
    });
    window.addEventListener('pagehide', () => this.#saveDraft());
  }

  /** Shows what the address asks for, else the last program, else an example. */
  async start(): Promise<void> {
    if (isLink(location.hash) && (await this.#openLink())) return;
    const draft = readJson(draftKey);
    if (draft) {
      try {
        this.#load(fromPayload(draft));
        return;
      } catch {
        // A draft of another version is no reason to bother anyone.
      }
    }
    this.#load(examples[0]?.workspace ?? emptyWorkspace());
  }

  #buildHeads(): void {
    byId('source-head', HTMLElement).append(this.#documentTabs.list);
    const maximise = h(
      'button',
      {
        type: 'button',
        class: 'button icon-only quiet',
        'aria-label': 'Use the whole width',
        'aria-pressed': 'false',
        title: 'Use the whole width',
        onclick: () => {
          const only = this.#layout.toggleResultsOnly();
          maximise.setAttribute('aria-pressed', String(only));
        },
      },
      icon('expand'),
    );
    byId('results-head', HTMLElement).append(
      this.#resultTabs.list,
      h('span', { class: 'spacer' }),
      maximise,
    );
    byId('results-body', HTMLElement).append(this.#stages.element, this.#run.element);
    byId('file-actions', HTMLElement).append(
      headButton('book', 'Examples', () => openGallery((example) => this.#load(example.workspace))),
      headButton('open', 'Open', () => chooseFile((file) => void this.#openFile(file))),
    );
    byId('page-actions', HTMLElement).append(
      headButton('share', 'Share', () => void this.#share()),
      headButton('settings', 'Settings', () => this.#openSettings()),
    );
  }

  /** Replaces everything that a person set up. */
  #load(workspace: Workspace): void {
    this.#isLoading = true;
    this.#workspace = structuredClone(workspace);
    this.#files.clear();
    this.#run.clear();
    this.#run.showForm([], undefined, {});
    this.#editor.setText('source', workspace.source);
    this.#editor.setText('device', workspace.device);
    this.#documentTabs.select('source');
    this.#documentTabs.setBadge('device', workspace.device ? 'custom' : '');
    this.#editor.editor.setScrollTop(0);
    this.#resultTabs.select(workspace.view.pane);
    this.#layout.setPhoneView('source');
    this.#run.showOptions(this.#workspace.options);
    this.#stages.setView(workspace.view);
    this.#isLoading = false;
    showMarkers(this.#editor.model, 'run', []);
    this.#checker.checkNow(workspace.source, workspace.device);
  }

  #documentChanged(which: DocumentId): void {
    if (this.#isLoading) return;
    this.#workspace[which] = this.#editor.text(which);
    if (which === 'device') {
      this.#documentTabs.setBadge('device', this.#workspace.device ? 'custom' : '');
    }
    showMarkers(this.#editor.model, 'run', []);
    this.#run.markStale();
    this.#forgetLink();
    this.#scheduleDraft();
    this.#checker.documentChanged(this.#workspace.source, this.#workspace.device);
  }

  #choicesChanged(): void {
    this.#run.markStale();
    this.#forgetLink();
    this.#scheduleDraft();
  }

  #viewChanged(): void {
    if (this.#isLoading) return;
    this.#forgetLink();
    this.#scheduleDraft();
  }

  /** An address that no longer says what is shown would mislead who copies it. */
  #forgetLink(): void {
    if (location.hash) history.replaceState(null, '', location.pathname + location.search);
  }

  #scheduleDraft(): void {
    window.clearTimeout(this.#draftTimer);
    this.#draftTimer = window.setTimeout(() => this.#saveDraft(), 500);
  }

  #saveDraft(): void {
    writeJson(draftKey, toPayload(this.#snapshot()));
  }

  /** The workspace as it is now, without what is a default. */
  #snapshot(): Workspace {
    const kernel = this.#kernel();
    const { args } = this.#workspace;
    return {
      ...this.#workspace,
      args: kernel ? withoutDefaults(kernel, args) : args,
      view: { pane: this.#resultTabs.selected, ...this.#stages.view() },
    };
  }

  #kernel(): KernelInfo | undefined {
    const kernels = this.#checker.current?.kernels ?? [];
    return kernels.find((kernel) => kernel.name === this.#workspace.kernel) ?? kernels[0];
  }

  #showStatus(status: CheckerStatus, message: string): void {
    this.#status = status;
    const element = byId('status', HTMLElement);
    const errors = status === 'idle' ? errorCount(this.#diagnostics()) : 0;
    element.dataset.status = errors > 0 ? 'failed' : status;
    element.textContent = {
      loading: 'Loading…',
      checking: 'Compiling…',
      idle: ['Ready', summary(errors, 0)].filter(Boolean).join(' · '),
      failed: 'Stopped',
    }[status];
    if (status === 'failed') this.#problems.show([], message);
  }

  #showChecked(checked: Checked): void {
    offerFixes(checked.source, checked.diagnostics);
    this.#stages.show(checked);
    this.#showForm();
    this.#showVerdict();
  }

  /** What was found about the program, in the light of where it is to run. */
  #diagnostics(): readonly Diagnostic[] {
    const checked = this.#checker.current;
    if (!checked) return [];
    return this.#isForKtir() ? asNotes(checked.diagnostics) : checked.diagnostics;
  }

  #isForKtir(): boolean {
    const checked = this.#checker.current;
    return checked !== undefined && isForKtir(checked, this.#workspace.options);
  }

  #showVerdict(): void {
    const checked = this.#checker.current;
    if (!checked) return;
    const diagnostics = this.#diagnostics();
    showMarkers(
      this.#editor.model,
      'compile',
      diagnostics.filter((diagnostic) => isInProgram(diagnostic.range)),
    );
    this.#problems.show(diagnostics, '');
    const first = checked.diagnostics.findIndex(({ severity }) => severity === 'error');
    this.#stages.setEnd(diagnostics[first]);
    const errors = errorCount(diagnostics);
    this.#resultTabs.setBadge('stages', String(checked.stages.length || ''), errors ? 'error' : '');
    if (this.#status === 'idle') this.#showStatus('idle', '');
  }

  #showForm(): void {
    const kernels = this.#checker.current?.kernels ?? [];
    // While a half-typed program has no kernel the last form stays.
    if (kernels.length === 0 && this.#workspace.source.trim() !== '') return;
    this.#run.showForm(kernels, this.#kernel(), this.#workspace.args);
    const isDataflow = this.#checker.current?.inputLevel === 'dataflow';
    this.#run.value.setLevel(isDataflow ? 'dataflow' : 'ktir');
  }

  #request(): RunRequest | undefined {
    const kernel = this.#kernel();
    if (!kernel) return undefined;
    return {
      source: this.#editor.text('source'),
      device: this.#editor.text('device'),
      kernel: kernel.name,
      options: this.#effectiveOptions(),
      ...bindArguments(kernel, this.#workspace.args, this.#files),
    };
  }

  /** A program that is DataflowIR already has no level above to run or compare with. */
  #effectiveOptions(): RunChoices {
    const { options } = this.#workspace;
    return this.#checker.current?.inputLevel === 'dataflow'
      ? { ...options, level: 'dataflow', compare: false }
      : options;
  }

  async #startRun(): Promise<void> {
    if (this.#running) {
      announce('A run is still going on');
      return;
    }
    this.#resultTabs.select('run');
    this.#layout.setPhoneView('run');
    const request = this.#request();
    if (!request) {
      this.#run.showFailure(new Error('The program has no kernel to run; see the problems.'));
      return;
    }
    if (!this.#run.checkFields()) return;
    const kernel = this.#kernel();
    const controller = new AbortController();
    this.#running = controller;
    this.#run.setRunning(true);
    showMarkers(this.#editor.model, 'run', []);
    try {
      const outcome = await this.#runner.run(request, controller.signal, (progress) =>
        this.#run.showProgress(progress),
      );
      this.#run.setRunning(false);
      this.#run.showOutcome(outcome, kernel);
      this.#markFindings(request.source, outcome.result.findings);
    } catch (error) {
      this.#run.setRunning(false);
      this.#run.showFailure(error);
      if (error instanceof KtirError) this.#markFindings(request.source, error.diagnostics);
    } finally {
      this.#running = undefined;
    }
    if (this.#editor.text('source') !== request.source) this.#run.markStale();
  }

  /** Runs once more, for the value of the name at the cursor. */
  async #showValue(): Promise<void> {
    const panel = this.#run.value;
    const name = this.#editor.nameAtCursor();
    const choice = panel.choice();
    const request = this.#request();
    if (this.#running || !name || !choice || !request) {
      announce(this.#running ? 'A run is still going on' : 'There is no name to show a value of');
      return;
    }
    this.#resultTabs.select('run');
    this.#layout.setPhoneView('run');
    if (!this.#run.checkFields()) return;
    const level = this.#checker.current?.inputLevel === 'dataflow' ? 'dataflow' : 'ktir';
    const controller = new AbortController();
    this.#running = controller;
    this.#run.setRunning(true);
    try {
      const { line, column } = name;
      const value = await this.#runner.capture(
        request,
        level,
        { value: { line, column }, ...choice },
        controller.signal,
        (progress) => this.#run.showProgress(progress),
      );
      if (value) panel.showValue(value);
    } catch (error) {
      panel.showProblem(error instanceof Cancelled ? 'Cancelled' : describeFailure(error));
    } finally {
      this.#running = undefined;
      this.#run.setRunning(false);
      this.#run.showIdle();
    }
  }

  #markFindings(source: string, findings: KtirError['diagnostics']): void {
    if (this.#editor.text('source') !== source) return;
    showMarkers(
      this.#editor.model,
      'run',
      findings.filter((finding) => isInProgram(finding.range)),
    );
  }

  async #validate(): Promise<void> {
    const request = this.#request();
    if (this.#running || !request) {
      announce(this.#running ? 'A run is still going on' : 'The program has no kernel to run');
      return;
    }
    const controller = new AbortController();
    this.#running = controller;
    this.#stages.setValidating(true);
    const checked = this.#checker.current;
    try {
      const results = await this.#runner.validate(request, controller.signal);
      if (checked !== this.#checker.current) return;
      const executed = results.filter((result) => result.executed);
      const differing = executed.filter((result) => !result.matches);
      const [first] = differing;
      this.#stages.setValidation(
        results,
        first
          ? `Stage ${first.stage} differs: ${first.message}`
          : `${executed.length} of ${results.length} stages executed, all with the same result`,
      );
    } catch (error) {
      if (!(error instanceof Cancelled)) {
        this.#stages.setValidation(undefined, `Not validated: ${describeFailure(error)}`);
      }
    } finally {
      this.#running = undefined;
      this.#stages.setValidating(false);
    }
  }

  #reveal(range: Parameters<SourceEditor['reveal']>[0]): void {
    this.#documentTabs.select('source');
    this.#layout.setPhoneView('source');
    this.#editor.reveal(range);
  }

  async #share(): Promise<void> {
    const workspace = await embedSmallFiles(this.#snapshot(), this.#files, (bytes) =>
      this.#runner.readNpy(bytes),
    );
    await openShareDialog(workspace);
  }

  /** Whether there is a workspace to show. */
  async #openLink(): Promise<boolean> {
    if (!isLink(location.hash)) return false;
    try {
      this.#load(await decodeLink(location.hash));
      return true;
    } catch (error) {
      if (error instanceof LinkError) openBrokenLinkDialog('link', error);
      else throw error;
      return false;
    }
  }

  async #openFile(file: File): Promise<void> {
    try {
      this.#load(await readWorkspaceFile(file));
      this.#forgetLink();
      this.#scheduleDraft();
    } catch (error) {
      if (error instanceof LinkError) openBrokenLinkDialog('file', error);
      else announce(`'${file.name}' could not be read`);
    }
  }

  #openSettings(): void {
    openSettingsDialog(
      this.settings,
      (part) => {
        this.#saveSettings(part);
        this.#appearance.set(this.settings.theme);
        const { fontSize, wordWrap } = this.settings;
        this.#editor.editor.updateOptions({ fontSize, wordWrap: wordWrap ? 'on' : 'off' });
        this.#stages.updateOptions({ fontSize, wordWrap });
      },
      () => {
        this.#layout.reset();
        announce('Layout reset');
      },
    );
  }

  #saveSettings(part: Partial<Settings>): void {
    this.settings = { ...this.settings, ...part };
    saveSettings(this.settings);
  }
}

function errorCount(diagnostics: readonly Diagnostic[]): number {
  return diagnostics.filter((one) => one.severity === 'error').length;
}

function headButton(
  symbol: Parameters<typeof icon>[0],
  label: string,
  onclick: () => void,
): HTMLElement {
  return h(
    'button',
    { type: 'button', class: 'button quiet', title: label, onclick },
    icon(symbol),
    h('span', { class: 'label', text: label }),
  );
}
