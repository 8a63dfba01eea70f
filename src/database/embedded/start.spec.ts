import { isWorthRetrying } from './start.js';

it.each([
  ['FATAL:  lock file "postmaster.pid" already exists', true],
  ['FATAL:  pre-existing shared memory block (key 1, ID 2) is still in use', true],
  ['LOG:  received fast shutdown request', true],
  ['FATAL:  configuration file "/data/postgresql.conf" contains errors', false],
  ['', false],
])('a start that ends with %j is worth another one: %s', (output, expected) => {
  expect(isWorthRetrying(output)).toBe(expected);
});
