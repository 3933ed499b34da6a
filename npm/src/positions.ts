/** Columns as editors count them. */

import type { Diagnostic, SourceRange } from './api.js';

/**
 * Translates the compiler's columns, which count bytes of UTF-8, into UTF-16
 * code units. Only ranges in the file named change.
 */
export class Positions {
  private readonly lines: string[] | undefined;

  constructor(
    source: string,
    private readonly fileName: string,
  ) {
    // In ASCII text both counts are the same.
    // eslint-disable-next-line no-control-regex -- the range of ASCII
    this.lines = /^[\x00-\x7f]*$/.test(source) ? undefined : source.split('\n');
  }

  translate(diagnostics: Diagnostic[]): Diagnostic[] {
    if (this.lines) {
      for (const diagnostic of diagnostics) {
        this.translateRange(diagnostic.range);
        for (const note of diagnostic.notes) this.translateRange(note.range);
        for (const edit of diagnostic.edits) this.translateRange(edit.range);
      }
    }
    return diagnostics;
  }

  translateRange(range: SourceRange): void {
    if (range.file !== this.fileName) return;
    range.column = this.column(range.line, range.column);
    range.endColumn = this.column(range.endLine, range.endColumn);
  }

  /** The column in bytes of a column in code units. */
  byteColumn(line: number, column: number): number {
    const text = this.lines?.[line - 1];
    if (text === undefined) return column;
    let bytes = 0;
    for (const character of text.slice(0, column - 1)) {
      bytes += utf8Length(character.codePointAt(0) ?? 0);
    }
    // Behind the end of the line, as far as the column is.
    return bytes + 1 + Math.max(0, column - 1 - text.length);
  }

  private column(line: number, byteColumn: number): number {
    const text = this.lines?.[line - 1];
    if (text === undefined || byteColumn < 1) return byteColumn;
    let units = 0;
    let bytes = 0;
    for (const character of text) {
      if (bytes >= byteColumn - 1) break;
      bytes += utf8Length(character.codePointAt(0) ?? 0);
      units += character.length;
    }
    return units + 1;
  }
}

function utf8Length(codePoint: number): number {
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x800) return 2;
  return codePoint < 0x10000 ? 3 : 4;
}
