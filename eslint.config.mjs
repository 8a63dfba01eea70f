import tseslint from 'typescript-eslint';

export default tseslint.config(
  { ignores: ['**/dist/', 'data/', 'coverage/', '**/*.mjs', '**/*.cjs'] },
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      // Nest modules are classes without members.
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': 'off',
      // Nest's option bags are declared as classes and given as literals everywhere.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'max-lines': ['error', { max: 400 }],
      'no-restricted-syntax': [
        'error',
        {
          selector: "MemberExpression[object.name='process'][property.name='env']",
          message: 'Only src/settings reads the environment.',
        },
      ],
    },
  },
  {
    files: ['src/**'],
    ignores: ['src/http/**', '**/*.controller.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              group: ['@nestjs/common'],
              importNamePattern: 'Exception$',
              message:
                'Throw a domain error (src/errors); only src/http and controllers know HTTP exceptions.',
            },
          ],
        },
      ],
    },
  },
  {
    files: ['src/{engine,fields}/**'],
    ignores: ['**/*.spec.ts'],
    // (subject, what, options)
    rules: { 'max-params': ['error', 3] },
  },
  { files: ['src/settings/**', 'test/**', 'examples/**'], rules: { 'no-restricted-syntax': 'off' } },
  {
    // Their own compiler settings are those of a package on its own, where `fairlead` is installed.
    files: ['examples/**'],
    languageOptions: { parserOptions: { projectService: false, project: 'examples/tsconfig.json' } },
    rules: {
      '@typescript-eslint/no-floating-promises': [
        'error',
        {
          allowForKnownSafeCalls: [
            { from: 'package', name: ['after', 'before', 'describe', 'it'], package: 'node:test' },
          ],
        },
      ],
    },
  },
  {
    files: ['**/*.spec.ts', 'test/**', 'examples/**/*.test.ts'],
    rules: {
      '@typescript-eslint/no-explicit-any': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
);
