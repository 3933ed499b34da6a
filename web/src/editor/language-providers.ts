import { languages, type editor, type Position, Range } from './monaco.ts';
import { ktirLanguageId } from './ktir-language.ts';
import type {
  CompletionItem,
  DocumentSymbol,
  RemoteLanguageService,
  SemanticTokenType,
  SourceRange,
} from '../compiler/api.ts';

/** What values are, which the words of the text alone do not tell. */
const tokenTypes = ['variable', 'variable.parameter'] as const;
const shownTokens: Partial<Record<SemanticTokenType, number>> = { value: 0, parameter: 1 };

const symbolKinds: Record<DocumentSymbol['kind'], languages.SymbolKind> = {
  module: languages.SymbolKind.Module,
  function: languages.SymbolKind.Function,
  operation: languages.SymbolKind.Method,
  value: languages.SymbolKind.Variable,
  alias: languages.SymbolKind.Constant,
};

const completionKinds: Record<CompletionItem['kind'], languages.CompletionItemKind> = {
  operation: languages.CompletionItemKind.Function,
  value: languages.CompletionItemKind.Variable,
  type: languages.CompletionItemKind.Class,
  attribute: languages.CompletionItemKind.Property,
  alias: languages.CompletionItemKind.Constant,
  constant: languages.CompletionItemKind.Value,
  symbol: languages.CompletionItemKind.Method,
  block: languages.CompletionItemKind.Reference,
};

/**
 * Hover, navigation, outline, completion and the colours of values for the
 * text of `shown`. `service` gives the language service with that text; while
 * the compiler cannot be used nothing is offered.
 */
export function registerLanguageProviders(
  shown: editor.ITextModel,
  service: (source: string) => Promise<RemoteLanguageService>,
): void {
  /** Undefined for the texts of other editors, and when the compiler fails. */
  async function ask<T>(
    model: editor.ITextModel,
    question: (service: RemoteLanguageService) => Promise<T>,
  ): Promise<T | undefined> {
    if (model !== shown) return undefined;
    try {
      return await question(await service(model.getValue()));
    } catch {
      // The status line says what is wrong with the compiler.
      return undefined;
    }
  }
  const toLocations = (ranges: SourceRange[] | undefined): languages.Location[] =>
    (ranges ?? []).map((range) => ({ uri: shown.uri, range: toRange(range) }));

  languages.registerHoverProvider(ktirLanguageId, {
    async provideHover(model, position) {
      const hover = await ask(model, (about) => about.hover(toPosition(position)));
      return hover ? { range: toRange(hover.range), contents: [{ value: hover.text }] } : null;
    },
  });

  languages.registerDefinitionProvider(ktirLanguageId, {
    async provideDefinition(model, position) {
      return toLocations(await ask(model, (about) => about.definition(toPosition(position))));
    },
  });

  languages.registerReferenceProvider(ktirLanguageId, {
    async provideReferences(model, position) {
      return toLocations(await ask(model, (about) => about.references(toPosition(position))));
    },
  });

  languages.registerDocumentSymbolProvider(ktirLanguageId, {
    displayName: 'KTIR',
    async provideDocumentSymbols(model) {
      return toTree((await ask(model, (about) => about.symbols())) ?? []);
    },
  });

  languages.registerCompletionItemProvider(ktirLanguageId, {
    triggerCharacters: ['%', '#', '!', '@', '^', '.'],
    async provideCompletionItems(model, position) {
      const list = await ask(model, (about) => about.completion(toPosition(position)));
      if (!list) return { suggestions: [] };
      const range = toRange(list.range);
      return {
        suggestions: list.items.map((item, index) => ({
          label: item.label,
          kind: completionKinds[item.kind],
          insertText: item.label,
          detail: item.detail,
          documentation: { value: item.documentation },
          // Monaco orders by text what matches equally well.
          sortText: String(index).padStart(6, '0'),
          range,
        })),
      };
    },
  });

  languages.registerDocumentSemanticTokensProvider(ktirLanguageId, {
    getLegend: () => ({ tokenTypes: [...tokenTypes], tokenModifiers: [] }),
    async provideDocumentSemanticTokens(model) {
      const tokens = await ask(model, (about) => about.tokens());
      if (!tokens) return null;
      const data: number[] = [];
      let line = 1;
      let column = 1;
      for (const token of tokens) {
        const type = shownTokens[token.type];
        if (type === undefined) continue;
        // Places count from the token before.
        if (token.line > line) column = 1;
        data.push(token.line - line, token.column - column, token.length, type, 0);
        ({ line, column } = token);
      }
      return { data: new Uint32Array(data) };
    },
    releaseDocumentSemanticTokens: () => undefined,
  });
}

/** An outline as Monaco has it. */
function toTree(symbols: readonly DocumentSymbol[]): languages.DocumentSymbol[] {
  const roots: languages.DocumentSymbol[] = [];
  const all = symbols.map((symbol) => ({
    name: symbol.name,
    detail: symbol.detail,
    kind: symbolKinds[symbol.kind],
    tags: [],
    range: toRange(symbol.range),
    selectionRange: toRange(symbol.nameRange),
    children: [] as languages.DocumentSymbol[],
  }));
  symbols.forEach(({ parent }, index) => {
    const entry = all[index];
    if (entry) (all[parent]?.children ?? roots).push(entry);
  });
  return roots;
}

function toPosition({ lineNumber, column }: Position): { line: number; column: number } {
  return { line: lineNumber, column };
}

function toRange({ line, column, endLine, endColumn }: SourceRange): Range {
  return new Range(line, column, endLine, endColumn);
}
