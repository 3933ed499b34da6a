import { editor } from '../../editor/monaco.ts';
import { ktirLanguageId } from '../../editor/ktir-language.ts';
import { sharedOptions } from '../../editor/source-editor.ts';
import type { StageMode } from '../../model/workspace.ts';
import { h } from '../../ui/dom.ts';

export interface StageView {
  readonly element: HTMLElement;
  /** Shows a text, or how it differs from `before`. */
  show(text: string, before: string | undefined, mode: StageMode): void;
  updateOptions(options: { fontSize: number; wordWrap: boolean }): void;
}

/** Monaco forgets these with every change of options that leaves them out. */
const diffLabels = {
  originalAriaLabel: 'Text of the stage compared with',
  modifiedAriaLabel: 'Text of the stage',
};

/** Read-only text or diff of a stage. Editors are made when first shown. */
export function createStageView(options: { fontSize: number; wordWrap: boolean }): StageView {
  const textHost = h('div', { class: 'stage-editor' });
  const diffHost = h('div', { class: 'stage-editor' });
  const element = h('div', { class: 'stage-view' }, textHost, diffHost);
  const shownText = editor.createModel('', ktirLanguageId);
  let current = { ...options };
  let textEditor: editor.IStandaloneCodeEditor | undefined;
  let diffEditor: editor.IStandaloneDiffEditor | undefined;
  let firstDiff: { dispose(): void } | undefined;
  /** Models of earlier diffs. The worker may still compare them until a later diff is done. */
  const retired: editor.ITextModel[] = [];

  const readOnly = (): editor.IStandaloneEditorConstructionOptions => ({
    ...sharedOptions(current),
    readOnly: true,
    readOnlyMessage: { value: 'This is what the compiler printed; edit the source instead.' },
    renderLineHighlight: 'none',
    lineNumbersMinChars: 5,
  });

  function textOf(): editor.IStandaloneCodeEditor {
    textEditor ??= editor.create(textHost, {
      ...readOnly(),
      model: shownText,
      ariaLabel: 'Text of the stage',
    });
    return textEditor;
  }

  function diffOf(): editor.IStandaloneDiffEditor {
    diffEditor ??= editor.createDiffEditor(diffHost, {
      ...readOnly(),
      originalEditable: false,
      ...diffLabels,
      renderSideBySide: false,
      useInlineViewWhenSpaceIsLimited: false,
      hideUnchangedRegions: { enabled: true, contextLineCount: 4, minimumLineCount: 6 },
      renderOverviewRuler: false,
      renderGutterMenu: false,
      ignoreTrimWhitespace: false,
      maxComputationTime: 3000,
      // Finds the same lines as 'advanced' in a fraction of its time, which for
      // the last stages is seconds.
      diffAlgorithm: 'legacy',
    });
    return diffEditor;
  }

  function leaveDiff(): void {
    firstDiff?.dispose();
    const model = diffEditor?.getModel();
    diffEditor?.setModel(null);
    if (model) retired.push(model.original, model.modified);
  }

  return {
    element,
    show(text, beforeText, mode) {
      const isDiff = mode !== 'text' && beforeText !== undefined;
      textHost.hidden = isDiff;
      diffHost.hidden = !isDiff;
      if (!isDiff) {
        leaveDiff();
        textOf();
        if (shownText.getValue() !== text) shownText.setValue(text);
        return;
      }
      const diff = diffOf();
      diff.updateOptions({ ...diffLabels, renderSideBySide: mode === 'split' });
      const model = diff.getModel();
      if (model?.original.getValue() === beforeText && model.modified.getValue() === text) return;
      // New models, so that the editor never matches a new text with an old difference.
      leaveDiff();
      diff.setModel({
        original: editor.createModel(beforeText, ktirLanguageId),
        modified: editor.createModel(text, ktirLanguageId),
      });
      firstDiff = diff.onDidUpdateDiff(() => {
        firstDiff?.dispose();
        diff.revealFirstDiff();
        for (const old of retired.splice(0)) old.dispose();
      });
    },
    updateOptions(next) {
      current = { ...next };
      const { fontSize, wordWrap } = next;
      const changed = { fontSize, wordWrap: wordWrap ? ('on' as const) : ('off' as const) };
      textEditor?.updateOptions(changed);
      diffEditor?.updateOptions({ ...diffLabels, ...changed });
    },
  };
}
