/** What an editor asks about a document. */

import type {
  CompletionList,
  Diagnostic,
  DocumentSymbol,
  Hover,
  LanguageAnswers,
  LanguageOptions,
  LanguageQuestion,
  Position,
  SemanticToken,
  SemanticTokenType,
  SourceRange,
} from './api.js';
import { fileReader } from './arguments.js';
import { KtirError } from './errors.js';
import type { GlueLanguageService } from './glue.js';
import { dispose, forgotten, Handle } from './handle.js';
import { getInstance, type Instance } from './instance.js';
import { checkSource, describe, encodeLanguageOptions, isObject } from './options.js';
import { Positions } from './positions.js';

/** In the order of the module's numbers. */
const TOKEN_TYPES: readonly SemanticTokenType[] = [
  'operation',
  'parameter',
  'value',
  'symbol',
  'label',
  'alias',
  'type',
  'keyword',
  'number',
  'string',
  'comment',
];

const QUESTIONS: readonly LanguageQuestion[] = [
  'hover',
  'definition',
  'references',
  'symbols',
  'completion',
  'tokens',
];

const DEFAULT_FILE_NAME = 'kernel.mlir';

/**
 * An open document. Everything but `update` answers from the last text that
 * parsed, carried over to the current one, and never parses. It keeps that
 * program in the module's memory: call `delete` (or use `using`) when done.
 */
export class LanguageService {
  private readonly handle: Handle<GlueLanguageService>;
  private positions: Positions;

  /** Made by `createLanguageService`. */
  constructor(
    instance: Instance,
    target: GlueLanguageService,
    private readonly fileName: string,
  ) {
    const handle = new Handle(instance, target, 'language service');
    this.handle = handle;
    this.positions = new Positions('', fileName);
    forgotten.register(
      this,
      () => {
        handle.delete();
      },
      this,
    );
  }

  /** Replaces the text; gives what compiling to level `ktir` reports. */
  update(text: string): Diagnostic[] {
    checkSource(text);
    const diagnostics = this.handle.call((object) => object.update(text));
    this.positions = new Positions(text, this.fileName);
    return this.positions.translate(JSON.parse(diagnostics) as Diagnostic[]);
  }

  /** Null where there is nothing to say. */
  hover(position: Position): Hover | null {
    return this.ask('hover', position);
  }

  /** Where the value, block, symbol or alias at `position` is defined; empty for other words. */
  definition(position: Position): SourceRange[] {
    return this.ask('definition', position);
  }

  /** All places of the name at `position`, its definition among them, in the order of the text. */
  references(position: Position): SourceRange[] {
    return this.ask('references', position);
  }

  /** Aliases, symbols, and operations with results or regions, in the order of the text. */
  symbols(): DocumentSymbol[] {
    return this.ask('symbols');
  }

  completion(position: Position): CompletionList {
    return this.ask('completion', position);
  }

  /** The words of the text in order. */
  tokens(): SemanticToken[] {
    return this.ask('tokens');
  }

  /** Asks by name; `symbols` and `tokens` are about the whole text and need no `position`. */
  ask<Q extends LanguageQuestion>(question: Q, position?: Position): LanguageAnswers[Q] {
    if (!QUESTIONS.includes(question)) {
      throw new KtirError(
        `expected a question, one of ${QUESTIONS.join(', ')}, found ${describe(question)}`,
        'argument',
      );
    }
    const isAboutText = question === 'symbols' || question === 'tokens';
    const { line, column } = isAboutText ? { line: 1, column: 1 } : checkPosition(position);
    const byteColumn = this.positions.byteColumn(line, column);
    const answer: unknown = JSON.parse(
      this.handle.call((object) => object.ask(question, line, byteColumn)),
    );
    return this.translate(question, answer) as LanguageAnswers[Q];
  }

  /** Frees the document. */
  delete(): void {
    forgotten.unregister(this);
    this.handle.delete();
  }

  [dispose](): void {
    this.delete();
  }

  private translate(question: LanguageQuestion, answer: unknown): unknown {
    const move = (range: SourceRange): void => {
      this.positions.translateRange(range);
    };
    switch (question) {
      case 'hover':
        if (answer) move((answer as Hover).range);
        break;
      case 'definition':
      case 'references':
        (answer as SourceRange[]).forEach(move);
        break;
      case 'symbols':
        for (const { range, nameRange } of answer as DocumentSymbol[]) {
          move(range);
          move(nameRange);
        }
        break;
      case 'completion':
        move((answer as CompletionList).range);
        break;
      case 'tokens':
        return this.tokensOf(answer as number[]);
    }
    return answer;
  }

  private tokensOf(numbers: number[]): SemanticToken[] {
    const tokens: SemanticToken[] = [];
    for (let i = 0; i + 5 <= numbers.length; i += 5) {
      const [line = 0, column = 0, length = 0, type = 0, isDefinition = 0] = numbers.slice(
        i,
        i + 5,
      );
      const range: SourceRange = {
        file: this.fileName,
        line,
        column,
        endLine: line,
        endColumn: column + length,
      };
      this.positions.translateRange(range);
      tokens.push({
        line,
        column: range.column,
        length: range.endColumn - range.column,
        type: TOKEN_TYPES[type] ?? 'keyword',
        isDefinition: isDefinition === 1,
      });
    }
    return tokens;
  }
}

/** Starts with an empty text: call `update` with the document's, and after each change. */
export async function createLanguageService(
  options: LanguageOptions = {},
): Promise<LanguageService> {
  const json = encodeLanguageOptions(options);
  const instance = await getInstance();
  const target = instance.call((glue) => new glue.LanguageService(json, fileReader(options.files)));
  return new LanguageService(instance, target, options.fileName ?? DEFAULT_FILE_NAME);
}

function describePosition(position: unknown): string {
  if (!isObject(position)) return describe(position);
  return `{ line: ${describe(position.line)}, column: ${describe(position.column)} }`;
}

/** Whole numbers from 1; the module takes 32 bits. */
function checkPosition(position: unknown): Position {
  const isNumber = (value: unknown): value is number =>
    Number.isInteger(value) && (value as number) >= 1;
  if (isObject(position)) {
    const { line, column } = position;
    if (isNumber(line) && isNumber(column)) {
      return { line: Math.min(line, 2 ** 31), column: Math.min(column, 2 ** 31) };
    }
  }
  throw new KtirError(
    `expected a position, { line, column } with whole numbers from 1, found ${describePosition(position)}`,
    'argument',
  );
}
