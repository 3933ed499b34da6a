import { languages, Range, type editor } from './monaco.ts';
import { ktirLanguageId } from './ktir-language.ts';
import { toMonacoRange } from './markers.ts';
import type { Diagnostic } from '../compiler/api.ts';

/** What was last found, and the text in which it was. */
let found: { source: string; diagnostics: readonly Diagnostic[] } | undefined;

/** Offers the edits of `diagnostics` as fixes for as long as the text is `source`. */
export function offerFixes(source: string, diagnostics: readonly Diagnostic[]): void {
  found = { source, diagnostics };
}

/**
 * Formats with `format`, which gives undefined for a text with errors, and
 * offers the fixes of what was found.
 */
export function registerFixes(format: (source: string) => Promise<string | undefined>): void {
  languages.registerDocumentFormattingEditProvider(ktirLanguageId, {
    displayName: 'ktir fmt',
    async provideDocumentFormattingEdits(model) {
      const text = await format(model.getValue());
      return text === undefined ? [] : [{ range: model.getFullModelRange(), text }];
    },
  });
  languages.registerCodeActionProvider(ktirLanguageId, {
    provideCodeActions(model, range) {
      // Edits of an older text would hit other words.
      const current = found?.source === model.getValue() ? found.diagnostics : [];
      const mendable = current.filter(({ edits }) => edits.length > 0);
      const here = mendable.filter((diagnostic) =>
        Range.areIntersectingOrTouching(toMonacoRange(diagnostic.range, model), range),
      );
      const actions = here.map((diagnostic) =>
        toAction(model, `Rewrite: ${diagnostic.message}`, [diagnostic], true),
      );
      if (here.length > 0 && mendable.length > 1) {
        actions.push(toAction(model, 'Rewrite every older form', mendable, false));
      }
      return { actions, dispose: () => undefined };
    },
  });
}

function toAction(
  model: editor.ITextModel,
  title: string,
  diagnostics: readonly Diagnostic[],
  isPreferred: boolean,
): languages.CodeAction {
  // Findings may share edits.
  const edits = new Map(
    diagnostics.flatMap(({ edits }) => edits.map((edit) => [JSON.stringify(edit), edit])),
  );
  return {
    title,
    kind: 'quickfix',
    isPreferred,
    edit: {
      edits: [...edits.values()].map((edit) => ({
        resource: model.uri,
        versionId: model.getVersionId(),
        textEdit: { range: exactRange(edit.range), text: edit.text },
      })),
    },
  };
}

/** An insertion has an empty range, which must not grow to a word. */
function exactRange(range: Diagnostic['range']): Range {
  return new Range(range.line, range.column, range.endLine, range.endColumn);
}
