import js from '@eslint/js';
import tseslint from 'typescript-eslint';

export default tseslint.config({ ignores: ['node_modules/'] }, js.configs.recommended, {
  files: ['**/*.ts'],
  extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
  languageOptions: {
    parserOptions: { project: ['./tsconfig.json'], tsconfigRootDir: import.meta.dirname },
  },
  rules: {
    '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
    '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
    // Fixtures take what they use, and some use nothing.
    'no-empty-pattern': 'off',
  },
});
