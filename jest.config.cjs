// Three projects, told apart by place: src/ and console/src/ hold the unit tests, which stand beside their file and
// need neither a build nor a database; test/ holds the service tests, and in test/faults and test/processes those that
// kill, cut and restart, or that prove a mechanism at its full size. The tiers that these make are in docs/testing.md.

const shared = {
  testMatch: ['**/*.spec.ts'],
  // Both together keep one set of modules for all files of a worker.
  testEnvironment: '<rootDir>/test/runner/environment.cjs',
  runtime: require.resolve('./test/runner/runtime.cjs'),
  transform: {},
  setupFiles: ['reflect-metadata'],
};

const withDatabase = {
  ...shared,
  // Jest runs them only when a test of this project is among those to run.
  globalSetup: '<rootDir>/test/support/global-setup.cjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.cjs',
};

// What unit tests share.
const UNITS = '<rootDir>/test/units';

const FAULTS = ['<rootDir>/test/faults', '<rootDir>/test/processes'];

// Those among them that run in both tiers.
const SHORT_FAULTS = require('./test/short-faults.json');
const LONG_FAULTS = `<rootDir>/test/(?!(${SHORT_FAULTS.join('|')})\\.spec)(faults|processes)/`;

module.exports = {
  projects: [
    { ...shared, displayName: 'unit', roots: ['<rootDir>/src', '<rootDir>/console/src', UNITS] },
    {
      ...withDatabase,
      displayName: 'service',
      roots: ['<rootDir>/test'],
      testPathIgnorePatterns: [LONG_FAULTS, UNITS],
    },
    { ...withDatabase, displayName: 'faults', roots: FAULTS },
  ],
  reporters: ['default', '<rootDir>/test/runner/slowest.cjs', '<rootDir>/test/runner/statements.cjs'],
  // Jest reads these here only, not in a project.
  testSequencer: '<rootDir>/test/runner/sequencer.cjs',
  // Of two cores, two workers leave an eighth idle while they wait, and three a fiftieth.
  maxWorkers: 3,
  // A slow machine takes three times as long as a fast one.
  // It ends a test that hangs. A storm of full size takes minutes on a busy machine.
  testTimeout: process.env.STORM === '1' ? 900_000 : 180_000,
};
