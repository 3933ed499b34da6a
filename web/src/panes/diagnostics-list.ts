import type { Diagnostic, SourceRange } from '../compiler/api.ts';
import { h, replaceChildren } from '../ui/dom.ts';
import { icon } from '../ui/icons.ts';

/** Diagnostics of a file other than the program have no place in the editor. */
export function isInProgram(range: SourceRange): boolean {
  return range.line > 0 && (range.file === '' || range.file === programFile);
}

/** The name that the program has in diagnostics. */
export const programFile = 'kernel.mlir';

/** Shows diagnostics with their notes; each entry leads to its place. */
export function renderDiagnostics(
  host: HTMLElement,
  diagnostics: readonly Diagnostic[],
  reveal: (range: SourceRange) => void,
): void {
  replaceChildren(
    host,
    ...diagnostics.map((diagnostic) =>
      h(
        'li',
        { class: `diagnostic ${diagnostic.severity}` },
        entry(
          icon(diagnostic.severity),
          `${diagnostic.severity}: `,
          diagnostic.message,
          diagnostic.range,
          diagnostic.rule,
          reveal,
        ),
        diagnostic.notes.length > 0 &&
          h(
            'ul',
            { class: 'notes' },
            ...diagnostic.notes.map((note) =>
              h(
                'li',
                { class: 'diagnostic note' },
                entry(icon('note'), 'note: ', note.message, note.range, '', reveal),
              ),
            ),
          ),
      ),
    ),
  );
}

function entry(
  symbol: SVGSVGElement,
  severity: string,
  message: string,
  range: SourceRange,
  rule: string,
  reveal: (range: SourceRange) => void,
): HTMLElement {
  const content = [
    symbol,
    h('span', { class: 'visually-hidden', text: severity }),
    h('span', { class: 'diagnostic-message', text: message }),
    rule ? h('span', { class: 'badge rule', text: rule }) : null,
    h('span', { class: 'diagnostic-place muted', text: placeText(range) }),
  ];
  return isInProgram(range)
    ? h(
        'button',
        { type: 'button', class: 'diagnostic-entry', onclick: () => reveal(range) },
        ...content,
      )
    : h('div', { class: 'diagnostic-entry' }, ...content);
}

function placeText(range: SourceRange): string {
  if (range.line === 0) return '';
  const place = `${range.line}:${range.column}`;
  return isInProgram(range) ? place : `${range.file}:${place}`;
}
