import type { Diagnostic, SourceRange } from '../compiler/api.ts';
import { h, replaceChildren } from '../ui/dom.ts';
import { renderDiagnostics } from './diagnostics-list.ts';

export interface Problems {
  show(diagnostics: readonly Diagnostic[], failure: string): void;
}

/** The list of what is wrong with the program, in the order of the compiler. */
export function createProblems(
  list: HTMLElement,
  count: HTMLElement,
  reveal: (range: SourceRange) => void,
): Problems {
  return {
    show(diagnostics, failure) {
      const errors = diagnostics.filter((one) => one.severity === 'error').length;
      const warnings = diagnostics.filter((one) => one.severity === 'warning').length;
      count.textContent = summary(errors + (failure ? 1 : 0), warnings);
      count.className =
        errors > 0 || failure ? 'count error' : warnings > 0 ? 'count warning' : 'count';
      renderDiagnostics(list, diagnostics, reveal);
      if (failure) {
        list.prepend(
          h('li', { class: 'diagnostic error' }, h('div', { class: 'diagnostic-entry' }, failure)),
        );
      }
      if (diagnostics.length === 0 && !failure) {
        replaceChildren(list, h('li', { class: 'muted empty', text: 'No problems.' }));
      }
    },
  };
}

/** How many errors and warnings there are, in words; empty without any. */
export function summary(errors: number, warnings: number): string {
  const parts: string[] = [];
  if (errors > 0) parts.push(errors === 1 ? '1 error' : `${errors} errors`);
  if (warnings > 0) parts.push(warnings === 1 ? '1 warning' : `${warnings} warnings`);
  return parts.join(', ');
}
