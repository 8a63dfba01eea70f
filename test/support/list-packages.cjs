// Preloaded into a program (NODE_OPTIONS=--require): prints the packages that it has loaded, as the last line of its
// standard error.
const { writeSync } = require('node:fs');

process.on('exit', () => {
  const names = Object.keys(require.cache).map(
    (path) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1],
  );
  const packages = [...new Set(names.filter((name) => name !== undefined))].sort();
  writeSync(2, `\n${JSON.stringify(packages)}`);
});
