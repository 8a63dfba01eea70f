// Preloaded into a program (NODE_OPTIONS=--require): prints the packages that it has loaded, as the last line of its
// standard error.
require('../../runner/compile.cjs');
const { writeSync } = require('node:fs');

/** The modules of the compiler, which is no part of the program. */
const before = new Set(Object.keys(require.cache));

process.on('exit', () => {
  const names = Object.keys(require.cache)
    .filter((path) => !before.has(path))
    .map((path) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1]);
  const packages = [...new Set(names.filter((name) => name !== undefined))].sort();
  writeSync(2, `\n${JSON.stringify(packages)}`);
});
