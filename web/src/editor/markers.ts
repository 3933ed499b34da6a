import { editor, MarkerSeverity, Range } from './monaco.ts';
import type { Diagnostic, SourceRange } from '../compiler/api.ts';

/** Clamps a range to the text; one without an end covers the word at its start. */
export function toMonacoRange(range: SourceRange, model: editor.ITextModel): Range {
  const line = Math.min(Math.max(range.line, 1), model.getLineCount());
  const column = Math.min(Math.max(range.column, 1), model.getLineMaxColumn(line));
  const hasEnd =
    range.endLine > range.line || (range.endLine === range.line && range.endColumn > range.column);
  if (hasEnd) {
    return Range.lift(model.validateRange(new Range(line, column, range.endLine, range.endColumn)));
  }
  const word = model.getWordAtPosition({ lineNumber: line, column });
  if (word && word.endColumn > column) return new Range(line, column, line, word.endColumn);
  // At the end of a line there is nothing to the right to underline.
  const end = Math.min(column + 1, model.getLineMaxColumn(line));
  return end > column
    ? new Range(line, column, line, end)
    : new Range(line, Math.max(1, column - 1), line, column);
}

/** Shows diagnostics in the text, each note as related information. */
export function showMarkers(
  model: editor.ITextModel,
  owner: 'compile' | 'run',
  diagnostics: readonly Diagnostic[],
): void {
  editor.setModelMarkers(
    model,
    owner,
    diagnostics
      .filter((diagnostic) => diagnostic.range.line > 0)
      .map((diagnostic) => ({
        ...positions(toMonacoRange(diagnostic.range, model)),
        severity: severities[diagnostic.severity],
        message: diagnostic.message,
        source: owner === 'run' ? 'run' : 'ktir',
        ...(diagnostic.rule ? { code: diagnostic.rule } : {}),
        relatedInformation: diagnostic.notes
          .filter((note) => note.range.line > 0)
          .map((note) => ({
            resource: model.uri,
            message: note.message,
            ...positions(toMonacoRange(note.range, model)),
          })),
      })),
  );
}

const severities = {
  error: MarkerSeverity.Error,
  warning: MarkerSeverity.Warning,
  note: MarkerSeverity.Info,
} as const;

function positions(range: Range): {
  startLineNumber: number;
  startColumn: number;
  endLineNumber: number;
  endColumn: number;
} {
  const { startLineNumber, startColumn, endLineNumber, endColumn } = range;
  return { startLineNumber, startColumn, endLineNumber, endColumn };
}
