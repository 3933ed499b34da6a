import type { Diagnostic, RemoteCompilation } from '../compiler/api.ts';
import type { RunChoices } from './workspace.ts';

/**
 * Whether a program is right as KTIR, is not lowered to DataflowIR, and is not
 * to be run there: a fact about the kernel, then, and no fault of it.
 */
export function isForKtir(
  { ok, inputLevel, stages }: Pick<RemoteCompilation, 'ok' | 'inputLevel' | 'stages'>,
  { level, compare }: RunChoices,
): boolean {
  // The rules of the language are checked before the first pass, whose stage
  // follows that of the input.
  const isLegal = inputLevel === 'ktir' && stages.length > 1;
  return isLegal && !ok && level === 'ktir' && !compare;
}

/** Diagnostics of such a program: its errors say why it goes no further. */
export function asNotes(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const first = diagnostics.find(({ severity }) => severity === 'error');
  return diagnostics.map((diagnostic) => {
    if (diagnostic.severity !== 'error') return diagnostic;
    const { message } = diagnostic;
    return {
      ...diagnostic,
      severity: 'note',
      // Notes without a place say what to do instead, which is done.
      notes: diagnostic.notes.filter(({ range }) => range.line > 0),
      message: diagnostic === first ? `this kernel is for level ktir: ${message}` : message,
    };
  });
}
