import { editor } from './monaco.ts';

export type Appearance = 'light' | 'dark';

/** The colours of text, as in `styles/tokens.css`. */
const palettes = {
  light: {
    background: 'ffffff',
    text: '1c2128',
    muted: '57606a',
    line: 'f3f5f8',
    lineNumber: '68727d',
    selection: 'cfdffb',
    keyword: '7d2696',
    operation: '1a56a8',
    tile: '085c53',
    namespace: '4c5560',
    variable: '1c2128',
    symbol: '8a4200',
    type: '0b5a77',
    number: '17592a',
    string: '8c2a20',
    attribute: '5f4700',
    inserted: '2da44e1c',
    removed: 'cf222e16',
  },
  dark: {
    background: '13161b',
    text: 'dbe1e8',
    muted: '95a1ae',
    line: '1a1e25',
    lineNumber: '8590a0',
    selection: '2c4672',
    keyword: 'd094e8',
    operation: '82b4f5',
    tile: '5ccdbd',
    namespace: '98a4b2',
    variable: 'dbe1e8',
    symbol: 'f0a866',
    type: '6cc4e4',
    number: '9bd08b',
    string: 'ec9a8b',
    attribute: 'd8bf6a',
    inserted: '2ea04322',
    removed: 'f8514920',
  },
} as const;

export function defineThemes(): void {
  for (const appearance of ['light', 'dark'] as const) {
    const c = palettes[appearance];
    editor.defineTheme(themeName(appearance), {
      base: appearance === 'light' ? 'vs' : 'vs-dark',
      inherit: true,
      rules: [
        { token: '', foreground: c.text },
        { token: 'comment', foreground: c.muted },
        { token: 'keyword', foreground: c.keyword },
        { token: 'function.op', foreground: c.operation },
        { token: 'function.tile', foreground: c.tile },
        { token: 'namespace', foreground: c.namespace },
        { token: 'namespace.tile', foreground: c.tile },
        { token: 'variable', foreground: c.variable },
        { token: 'variable.affine', foreground: c.symbol },
        { token: 'variable.parameter', foreground: c.attribute },
        { token: 'symbol', foreground: c.symbol },
        { token: 'label', foreground: c.symbol },
        { token: 'type', foreground: c.type },
        { token: 'number', foreground: c.number },
        { token: 'constant', foreground: c.number },
        { token: 'string', foreground: c.string },
        { token: 'string.escape', foreground: c.attribute },
        { token: 'string.invalid', foreground: c.string, fontStyle: 'underline' },
        { token: 'attribute.name', foreground: c.attribute },
        { token: 'attribute.alias', foreground: c.symbol },
        { token: 'operator', foreground: c.namespace },
        { token: 'delimiter', foreground: c.namespace },
        { token: 'identifier', foreground: c.text },
      ],
      colors: {
        'editor.background': `#${c.background}`,
        'editor.foreground': `#${c.text}`,
        'editorGutter.background': `#${c.background}`,
        'editorLineNumber.foreground': `#${c.lineNumber}`,
        'editorLineNumber.dimmedForeground': `#${c.lineNumber}`,
        'editorLineNumber.activeForeground': `#${c.text}`,
        'editor.lineHighlightBackground': `#${c.line}`,
        'editor.lineHighlightBorder': '#00000000',
        'editor.selectionBackground': `#${c.selection}`,
        'diffEditor.insertedLineBackground': `#${c.inserted}`,
        'diffEditor.removedLineBackground': `#${c.removed}`,
        'diffEditor.insertedTextBackground': `#${c.inserted}`,
        'diffEditor.removedTextBackground': `#${c.removed}`,
        ...bracketColors(`#${c.namespace}`),
        'editorOverviewRuler.border': '#00000000',
        'scrollbar.shadow': '#00000000',
      },
    });
  }
}

/** Brackets are quiet: the operations are what one looks for. */
function bracketColors(color: string): Record<string, string> {
  return Object.fromEntries(
    [1, 2, 3, 4, 5, 6].map((level) => [`editorBracketHighlight.foreground${level}`, color]),
  );
}

export function themeName(appearance: Appearance): string {
  return `ktir-${appearance}`;
}
