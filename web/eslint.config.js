import js from '@eslint/js';
import tseslint from 'typescript-eslint';

export default tseslint.config({ ignores: ['dist/', 'node_modules/'] }, js.configs.recommended, {
  files: ['**/*.ts'],
  extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
  languageOptions: {
    parserOptions: {
      project: ['./tsconfig.json', './tsconfig.node.json', './tsconfig.worker.json'],
      tsconfigRootDir: import.meta.dirname,
    },
  },
  rules: {
    '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
    '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
    '@typescript-eslint/prefer-nullish-coalescing': 'error',
    eqeqeq: 'error',
    'no-eval': 'error',
    'no-new-func': 'error',
  },
});
