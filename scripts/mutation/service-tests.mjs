/**
 * Which tests of test/ exercise which part of src/: those of the first text that the path of a file contains.
 * Unit tests are found by what they import and need no entry.
 */
export const SERVICE_TESTS = [
  ['.entity.ts', ['test/database/migrations']],
  ['src/assignments/', ['test/e2e/assignments', 'test/e2e/limits-windows', 'test/e2e/returned-turns']],
  ['src/auth/', ['test/e2e/auth']],
  ['src/capacities/', ['test/e2e/capacities']],
  ['src/commands/', ['test/cli']],
  ['src/configuration/cache/', ['test/concurrency/dispatch-configuration', 'test/cli/apply-live']],
  ['src/configuration/', ['test/cli/apply', 'test/cli/export']],
  ['src/database/embedded/', ['test/faults/embedded']],
  ['src/database/', ['test/database', 'test/faults/database', 'test/e2e/operations-health']],
  ['src/directory/', ['test/e2e/dispatch-availability', 'test/e2e/limits', 'test/cli/apply.spec']],
  ['src/dispatch/queue/', ['test/concurrency/dispatch', 'test/e2e/batch']],
  ['src/dispatch/returned-turns/', ['test/e2e/returned-turns']],
  ['src/dispatch/simulation/', ['test/e2e/simulate', 'test/cli/simulate']],
  ['src/dispatch/', ['test/e2e/dispatch', 'test/e2e/limits', 'test/e2e/load', 'test/concurrency/dispatch']],
  ['src/engine/', []],
  ['src/fields/', ['test/e2e/records-custom', 'test/e2e/records-field-types']],
  ['src/health/', ['test/e2e/operations-health']],
  ['src/http/', ['test/e2e/openapi', 'test/e2e/operations', 'test/e2e/records-list', 'test/e2e/hostile']],
  [
    'src/records/record.',
    ['test/e2e/openapi', 'test/e2e/records-lifecycle', 'test/e2e/records-errors', 'test/e2e/auth-scopes'],
  ],
  ['src/records/', ['test/e2e/same-ids', 'test/e2e/records', 'test/concurrency/records']],
  ['src/routers/', ['test/e2e/routers', 'test/e2e/rules-configuration']],
  ['src/text/', []],
  ['src/', ['test/e2e']],
];
