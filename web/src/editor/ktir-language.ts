import { languages } from './monaco.ts';

/** Monaco's name for KTIR and for every level below it: they share MLIR's syntax. */
export const ktirLanguageId = 'ktir';

/** Dialects whose operations are highlighted as the project's own. */
const tileDialects = [
  'ktdp',
  'spyreop',
  'ktdf',
  'ktdf_arch',
  'ktdf_lowering',
  'dataflow',
  'agen',
  'vectorchain',
  'uniform',
  'symbol',
];

/** Upstream dialects that a KTIR program may use (spec §2.6). */
const upstreamDialects = [
  'affine',
  'arith',
  'builtin',
  'cf',
  'func',
  'linalg',
  'math',
  'memref',
  'scf',
  'tensor',
  'vector',
];

const keywords = [
  'attributes',
  'else',
  'from',
  'iter_args',
  'init',
  'ins',
  'into',
  'outs',
  'private',
  'public',
  'nested',
  'step',
  'to',
  'time_symbols',
  'load_iv',
  'intermediate_variables',
  'ind',
  'symbols',
  'iter_arg',
];

export function registerKtirLanguage(): void {
  languages.register({
    id: ktirLanguageId,
    extensions: ['.mlir', '.ktir'],
    aliases: ['KTIR', 'MLIR'],
  });

  languages.setLanguageConfiguration(ktirLanguageId, {
    comments: { lineComment: '//' },
    brackets: [
      ['{', '}'],
      ['[', ']'],
      ['(', ')'],
    ],
    autoClosingPairs: [
      { open: '{', close: '}' },
      { open: '[', close: ']' },
      { open: '(', close: ')' },
      { open: '"', close: '"', notIn: ['string', 'comment'] },
    ],
    surroundingPairs: [
      { open: '{', close: '}' },
      { open: '[', close: ']' },
      { open: '(', close: ')' },
      { open: '<', close: '>' },
      { open: '"', close: '"' },
    ],
    // A value, symbol or dotted operation name is one word.
    wordPattern: /[%@#!^]?[A-Za-z0-9_$][\w$.-]*(?:#\d+)?/,
    indentationRules: {
      increaseIndentPattern: /[{([]\s*(\/\/.*)?$/,
      decreaseIndentPattern: /^\s*[})\]]/,
    },
    folding: { markers: { start: /^\s*\/\/\s*#region\b/, end: /^\s*\/\/\s*#endregion\b/ } },
  });

  languages.setMonarchTokensProvider(ktirLanguageId, {
    defaultToken: '',
    tileDialects,
    upstreamDialects,
    keywords,
    constants: ['true', 'false', 'unit', 'unknown', 'none'],
    affineOperators: ['floordiv', 'ceildiv', 'mod', 'symbol'],
    brackets: [
      { open: '{', close: '}', token: 'delimiter.curly' },
      { open: '[', close: ']', token: 'delimiter.square' },
      { open: '(', close: ')', token: 'delimiter.parenthesis' },
    ],
    suffixId: /(?:\d+|[A-Za-z_$.-][\w$.-]*)/,
    scalarType: /(?:[su]?i[1-9]\d*|bf16|tf32|f16|f32|f64|f80|f128|f8E\w+|index|none)(?![\w.$])/,

    tokenizer: {
      root: [
        { include: '@trivia' },
        // Affine maps and sets have a syntax of their own up to the closing '>'.
        [
          /(affine_map|affine_set)(<)/,
          ['keyword.affine', { token: 'delimiter.angle', next: '@affine' }],
        ],
        // Shaped types: dimensions ('4x64x') are numbers, the element a type.
        [
          /(tensor|memref|vector|complex|tuple)(<)/,
          ['type', { token: 'delimiter.angle', next: '@shape' }],
        ],
        [
          /(!)(ktdp)(\.)(access_tile|tile_future|runtime_arg)(<)/,
          ['type', 'type', 'type', 'type', { token: 'delimiter.angle', next: '@shape' }],
        ],
        // The short form of a tile type after ':' or ','. It starts with a dimension.
        [/<(?=(?:\d+|\?)x)/, { token: 'delimiter.angle', next: '@shape' }],
        [/loc(?=\s*\()/, { token: 'comment.location', next: '@location' }],
        { include: '@names' },
        { include: '@numbers' },
        // An operation in generic form: its name is a string before '('.
        [/"([A-Za-z_][\w$]*\.[\w$.]+)"(?=\s*\()/, 'function.op'],
        [/"/, { token: 'string.quote', next: '@string' }],
        [/(module|func\.func|func\.return|func\.call)(?![\w.$])/, 'keyword.declaration'],
        [/return(?![\w.$])/, 'keyword.declaration'],
        [
          /([A-Za-z_]\w*)(\.)([A-Za-z_][\w$.]*)/,
          {
            cases: {
              '$1@tileDialects': ['namespace.tile', 'delimiter', 'function.tile'],
              '$1@upstreamDialects': ['namespace', 'delimiter', 'function.op'],
              '@default': ['namespace', 'delimiter', 'function.op'],
            },
          },
        ],
        [/@scalarType/, 'type'],
        [/dense(?=<)/, 'keyword'],
        // The name of an attribute in a dictionary, or of a clause ('sizes:').
        [/[A-Za-z_][\w$]*(?=\s*=[^=])/, 'attribute.name'],
        [/[A-Za-z_][\w$]*(?=\s*:\s*[[%])/, 'attribute.name'],
        [
          /[A-Za-z_][\w$]*/,
          {
            cases: {
              '@keywords': 'keyword',
              '@constants': 'constant',
              '@affineOperators': 'keyword.affine',
              '@default': 'identifier',
            },
          },
        ],
        [/->|==|>=|<=|::|[=:,*+?|-]/, 'delimiter'],
        [/[<>]/, 'delimiter.angle'],
        [/[{}()[\]]/, '@brackets'],
      ],

      trivia: [
        [/[ \t\r\n]+/, 'white'],
        [/\/\/.*$/, 'comment'],
      ],

      names: [
        [/%@suffixId(?:#\d+)?(?::\d+)?/, 'variable'],
        [/@@@suffixId/, 'symbol'],
        [/@@"(?:[^"\\]|\\.)*"/, 'symbol'],
        [/\^@suffixId/, 'label'],
        [/#@suffixId/, 'attribute.alias'],
        [/!@suffixId/, 'type.alias'],
      ],

      numbers: [
        [/0x[0-9A-Fa-f]+(?![\w.])/, 'number.hex'],
        [/-?\d+\.\d*(?:[eE][-+]?\d+)?/, 'number.float'],
        [/-?\d+(?![\w.])/, 'number'],
      ],

      affine: [
        { include: '@trivia' },
        { include: '@names' },
        [/->|>=|<=|==/, 'operator'],
        [/>/, { token: 'delimiter.angle', next: '@pop' }],
        [/\d+/, 'number'],
        [/(?:floordiv|ceildiv|mod|symbol)(?![\w])/, 'keyword.affine'],
        [/[A-Za-z_][\w$]*/, 'variable.affine'],
        [/[-+*]/, 'operator'],
        [/[:,]/, 'delimiter'],
        [/[()[\]]/, '@brackets'],
      ],

      shape: [
        { include: '@trivia' },
        [
          /(affine_map|affine_set)(<)/,
          ['keyword.affine', { token: 'delimiter.angle', next: '@affine' }],
        ],
        [/(\d+|\?|\*)(x)/, ['number', 'delimiter']],
        [/(tensor|memref|vector)(<)/, ['type', { token: 'delimiter.angle', next: '@shape' }]],
        [/</, { token: 'delimiter.angle', next: '@shape' }],
        [/>/, { token: 'delimiter.angle', next: '@pop' }],
        [/@scalarType/, 'type'],
        { include: '@names' },
        [/\d+/, 'number'],
        [/[A-Za-z_][\w$]*(?=\s*[=:])/, 'attribute.name'],
        [/[A-Za-z_][\w$.]*/, 'type'],
        [/[()[\]{}]/, '@brackets'],
        [/[-,=:+*]/, 'delimiter'],
      ],

      location: [
        [/\(/, { token: 'comment.location', next: '@locationBody' }],
        [/\s+/, 'comment.location'],
        [/(?=.)/, { token: '', next: '@pop' }],
      ],
      locationBody: [
        [/"(?:[^"\\]|\\.)*"/, 'comment.location'],
        [/\(/, { token: 'comment.location', next: '@push' }],
        [/\)/, { token: 'comment.location', next: '@pop' }],
        [/[^()"]+/, 'comment.location'],
      ],

      string: [
        [/[^\\"]+/, 'string'],
        [/\\(?:[nt"\\]|[0-9A-Fa-f]{2})/, 'string.escape'],
        [/\\./, 'string.invalid'],
        [/"/, { token: 'string.quote', next: '@pop' }],
      ],
    },
  });
}
