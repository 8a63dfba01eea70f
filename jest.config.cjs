// Two projects, told apart by place: src/ holds the unit tests, which stand beside their file and need neither a
// build nor a database; test/ holds the service tests, which get both from the global setup.

// Nest 12 and the clients of OAuth are ESM-only and jest cannot require(esm) on Node 20, so swc turns their files into
// CommonJS as well.
const swc = {
  jsc: {
    target: 'es2022',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
    keepClassNames: true,
  },
  module: { type: 'commonjs' },
  sourceMaps: 'inline',
};

const shared = {
  testMatch: ['**/*.spec.ts'],
  testEnvironment: 'node',
  setupFiles: ['reflect-metadata'],
  transform: { '\\.(ts|js|mjs)$': ['@swc/jest', swc] },
  transformIgnorePatterns: ['/node_modules/(?!@nestjs/|openid-client/|oauth4webapi/|jose/)'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
};

module.exports = {
  projects: [
    { ...shared, displayName: 'unit', roots: ['<rootDir>/src'] },
    {
      ...shared,
      displayName: 'service',
      roots: ['<rootDir>/test'],
      // Jest runs them only when a test of this project is among those to run.
      globalSetup: '<rootDir>/test/support/global-setup.cjs',
      globalTeardown: '<rootDir>/test/support/global-teardown.cjs',
    },
  ],
  // Jest reads these two here only, not in a project.
  maxWorkers: 2,
  // A slow machine takes three times as long as a fast one.
  testTimeout: 180_000,
};
