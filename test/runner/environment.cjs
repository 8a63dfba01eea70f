// The environment of tests is the process of the worker itself. Jest's own makes a new global object for each test
// file, in which every module is loaded anew.
const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');
require('./compile.cjs');
const { collect, flush, rest } = require('../support/statements/collect.cjs');

const { exit } = process;
const { console } = globalThis;

// Jest takes its listener away from a worker that has no more to do, which a shared service would keep alive.
process.on('removeListener', (event) => {
  if (event === 'message' && process.listenerCount(event) === 0) exit();
});

// Where the run has a database.
const folder = process.env.FAIRLEAD_TEST_FOLDER;
if (folder !== undefined) collect();

module.exports = class SharedEnvironment {
  global = globalThis;
  exportConditions = () => ['node', 'require'];

  constructor({ projectConfig }) {
    this.isUnit = projectConfig.displayName?.name === 'unit';
    this.moduleMocker = new ModuleMocker(globalThis);
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
    this.environment = { ...process.env };
  }

  getVmContext() {
    return null;
  }

  /** Units hold the clock, which the service of files before must not see. */
  async setup() {
    if (!this.isUnit) return;
    await globalThis.stopSharedService?.();
    rest();
  }

  /** Takes back what a test file may have left behind. */
  async teardown() {
    // Mocks first: what a mock of a fake timer restores is the fake one.
    this.moduleMocker.restoreAllMocks();
    this.fakeTimersModern.useRealTimers();
    // Jest replaces both for each file.
    process.exit = exit;
    globalThis.console = console;
    for (const name of Object.keys(process.env)) {
      if (this.environment[name] === undefined) delete process.env[name];
    }
    Object.assign(process.env, this.environment);
    if (folder !== undefined) flush(folder);
  }
};
