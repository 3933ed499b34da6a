import { editor, KeyCode, KeyMod, Uri } from './monaco.ts';
import { ktirLanguageId } from './ktir-language.ts';
import type { SourceRange } from '../compiler/api.ts';
import { toMonacoRange } from './markers.ts';

export type DocumentId = 'source' | 'device';

export interface SourceEditor {
  readonly editor: editor.IStandaloneCodeEditor;
  text(document: DocumentId): string;
  /** Replaces a text; undo brings the old one back. */
  setText(document: DocumentId, text: string): void;
  show(document: DocumentId): void;
  readonly model: editor.ITextModel;
  /** Moves the cursor to a range of the program and focuses the editor. */
  reveal(range: SourceRange): void;
  /** The name of a value at the cursor in the program, and where it stands. */
  nameAtCursor(): { name: string; line: number; column: number } | undefined;
}

/** The editor of the program and of the optional device description. */
export function createSourceEditor(
  container: HTMLElement,
  options: { fontSize: number; wordWrap: boolean },
  onChange: (document: DocumentId) => void,
  onRun: () => void,
): SourceEditor {
  const models: Record<DocumentId, editor.ITextModel> = {
    source: editor.createModel('', ktirLanguageId, Uri.parse('inmemory://ktir/kernel.mlir')),
    device: editor.createModel('', ktirLanguageId, Uri.parse('inmemory://ktir/device.mlir')),
  };
  const views: Record<DocumentId, editor.ICodeEditorViewState | null> = {
    source: null,
    device: null,
  };
  let shown: DocumentId = 'source';
  const instance = editor.create(container, {
    ...sharedOptions(options),
    model: models.source,
    ariaLabel: 'KTIR program',
    placeholder: 'Write or paste a KTIR kernel, or open an example.',
    fixedOverflowWidgets: true,
    // Colours that take knowledge of the program.
    'semanticHighlighting.enabled': true,
  });
  for (const document of ['source', 'device'] as const) {
    models[document].onDidChangeContent(() => onChange(document));
  }
  instance.addCommand(KeyMod.CtrlCmd | KeyCode.Enter, onRun);

  function show(document: DocumentId): void {
    if (document === shown) return;
    views[shown] = instance.saveViewState();
    shown = document;
    instance.setModel(models[document]);
    instance.restoreViewState(views[document]);
    instance.updateOptions({
      ariaLabel: document === 'source' ? 'KTIR program' : 'Device description',
      placeholder:
        document === 'source'
          ? 'Write or paste a KTIR kernel, or open an example.'
          : 'Empty: the built-in device. Paste a module with one ktdf_arch.device to replace it.',
    });
  }

  function nameAtCursor(): { name: string; line: number; column: number } | undefined {
    const cursor = instance.getPosition();
    if (shown !== 'source' || !cursor) return undefined;
    const line = models.source.getLineContent(cursor.lineNumber);
    for (const { 0: name, index } of line.matchAll(/%[\w$.-]+(#\d+)?/g)) {
      // Behind the last letter is still at the name.
      if (index < cursor.column && cursor.column <= index + name.length + 1) {
        return { name, line: cursor.lineNumber, column: index + 1 };
      }
    }
    return undefined;
  }

  return {
    nameAtCursor,
    editor: instance,
    model: models.source,
    text: (document) => models[document].getValue(),
    setText(document, text) {
      const model = models[document];
      if (model.getValue() === text) return;
      model.pushEditOperations([], [{ range: model.getFullModelRange(), text }], () => null);
    },
    show,
    reveal(range) {
      show('source');
      if (range.line > 0) {
        const target = toMonacoRange(range, models.source);
        instance.setSelection(target);
        instance.revealRangeInCenterIfOutsideViewport(target);
      }
      instance.focus();
    },
  };
}

/** Options that every editor of the page has. */
export function sharedOptions(options: {
  fontSize: number;
  wordWrap: boolean;
}): editor.IStandaloneEditorConstructionOptions {
  return {
    automaticLayout: true,
    fontFamily: "ui-monospace, 'SF Mono', Menlo, Consolas, 'Liberation Mono', monospace",
    fontSize: options.fontSize,
    lineHeight: 1.5,
    wordWrap: options.wordWrap ? 'on' : 'off',
    minimap: { enabled: false },
    scrollBeyondLastLine: false,
    renderLineHighlight: 'line',
    renderWhitespace: 'none',
    lineNumbersMinChars: 3,
    folding: true,
    padding: { top: 8, bottom: 8 },
    tabSize: 2,
    insertSpaces: true,
    detectIndentation: false,
    guides: { indentation: true, bracketPairs: false },
    bracketPairColorization: { enabled: false },
    scrollbar: { verticalScrollbarSize: 10, horizontalScrollbarSize: 10, useShadows: false },
    overviewRulerBorder: false,
    hideCursorInOverviewRuler: true,
    largeFileOptimizations: true,
    wordBasedSuggestions: 'off',
    quickSuggestions: false,
    links: false,
    unicodeHighlight: { ambiguousCharacters: false, invisibleCharacters: false },
    accessibilitySupport: 'auto',
  };
}
