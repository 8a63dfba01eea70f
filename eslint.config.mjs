import tseslint from 'typescript-eslint';

const ENVIRONMENT = {
  selector: "MemberExpression[object.name='process'][property.name='env']",
  message: 'Only src/settings reads the environment.',
};

// (account or snapshot, what, options). Constructors take what they are given by injection.
const MOST_PARAMETERS = {
  selector:
    ":matches(FunctionDeclaration, ArrowFunctionExpression, MethodDefinition[kind='method'] > FunctionExpression, TSMethodSignature, TSFunctionType, TSAbstractMethodDefinition)[params.length>3]",
  message: 'At most three parameters: (account or snapshot, what, options).',
};

export default tseslint.config(
  // What openapi-tools/ and console/ build on is installed in places of their own. console/ has its own rules.
  { ignores: ['**/dist/', 'data/', 'coverage/', 'openapi-tools/', 'console/', '**/*.mjs', '**/*.cjs'] },
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
      'no-restricted-syntax': ['error', ENVIRONMENT, MOST_PARAMETERS],
      // Prettier does not wrap comments.
      'max-len': ['error', { code: 1000, comments: 110, ignoreUrls: true }],
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
  { files: ['src/settings/**'], rules: { 'no-restricted-syntax': ['error', MOST_PARAMETERS] } },
  {
    files: ['test/**', 'examples/**', '**/*.spec.ts'],
    rules: { 'no-restricted-syntax': 'off' },
  },
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
