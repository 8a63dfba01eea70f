// Loads test files for jest as Node.js loads modules: what a worker has loaded for one file, it has for the next.
// Jest's own runtime loads all modules of the service, some 1,600, for each file. Mocks of modules are its price: there
// is no jest.mock here.
const hooks = require('node:async_hooks');
const { sourceMaps } = require('./compile.cjs');

const TIMEOUT = Symbol.for('TEST_TIMEOUT_SYMBOL');
const EVENT_HANDLERS = Symbol.for('EVENT_HANDLERS');

/** Loads a module as if it had not been loaded before. */
function requireAnew(path) {
  delete require.cache[path];
  return require(path);
}

/**
 * What jest keeps the running test or hook in. Its own follows every promise, which takes a tenth of the time of a test;
 * here they run one after the other, so the last that has begun is the one that runs.
 */
class SerialStorage {
  getStore() {
    return this.store;
  }

  async run(store, work) {
    const outer = this.store;
    this.store = store;
    try {
      return await work();
    } finally {
      this.store = outer;
    }
  }
}

class SharedRuntime {
  constructor(_config, environment) {
    this.environment = environment;
    globalThis.jest = this.jestObject();
  }

  /** Jest's own modules. They add themselves to the handlers of events, of which each file has its own. */
  requireInternalModule(path) {
    delete globalThis[EVENT_HANDLERS];
    const known = Object.getOwnPropertyDescriptor(hooks, 'AsyncLocalStorage');
    Object.defineProperty(hooks, 'AsyncLocalStorage', { value: SerialStorage, configurable: true });
    try {
      return requireAnew(path);
    } finally {
      Object.defineProperty(hooks, 'AsyncLocalStorage', known);
    }
  }

  requireModule(path) {
    return requireAnew(path);
  }

  setGlobalsForRuntime() {}
  enterTestCode() {}
  leaveTestCode() {}

  unstable_shouldLoadAsEsm() {
    return false;
  }

  getSourceMaps() {
    return sourceMaps;
  }

  getAllCoverageInfoCopy() {
    return undefined;
  }

  teardown() {
    delete globalThis[TIMEOUT];
  }

  /** The global `jest`: mocks of functions, and fake timers. */
  jestObject() {
    const { moduleMocker: mocks, fakeTimersModern: timers } = this.environment;
    const jest = {
      fn: mocks.fn.bind(mocks),
      spyOn: mocks.spyOn.bind(mocks),
      clearAllMocks: () => (mocks.clearAllMocks(), jest),
      restoreAllMocks: () => (mocks.restoreAllMocks(), jest),
      useFakeTimers: (options) => {
        if (globalThis.stopSharedService)
          throw new Error('Stop the shared service before you hold the clock');
        timers.useFakeTimers(options);
        return jest;
      },
      useRealTimers: () => (timers.useRealTimers(), jest),
      setSystemTime: (now) => timers.setSystemTime(now),
      advanceTimersByTime: (ms) => timers.advanceTimersByTime(ms),
      advanceTimersByTimeAsync: (ms) => timers.advanceTimersByTimeAsync(ms),
      getTimerCount: () => timers.getTimerCount(),
      setTimeout: (ms) => ((globalThis[TIMEOUT] = ms), jest),
    };
    return jest;
  }
}

module.exports = { __esModule: true, default: SharedRuntime };
