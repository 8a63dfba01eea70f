// Compiles TypeScript when it is required, and keeps what it has compiled for the next run.
const { createHash } = require('node:crypto');
const { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const { dirname, join } = require('node:path');
const { addHook } = require('pirates');
const { transformSync, version } = require('@swc/core');

const ROOT = join(__dirname, '..', '..');
const CACHE = join(ROOT, 'node_modules', '.cache', 'fairlead-tests');

const OPTIONS = {
  jsc: {
    target: 'es2022',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
    keepClassNames: true,
  },
  module: { type: 'commonjs' },
  sourceMaps: true,
  configFile: false,
  swcrc: false,
};

/** Changes where anything but the source decides what is compiled. */
const COMPILER = createHash('sha1').update(version).update(readFileSync(__filename)).digest('hex');

/** The file of the source map of each compiled file. */
const sourceMaps = new Map();

function compile(source, path) {
  const digest = createHash('sha1').update(COMPILER).update(path).update(source).digest('hex');
  const kept = join(CACHE, digest.slice(0, 2), digest);
  sourceMaps.set(path, `${kept}.map`);
  if (existsSync(kept)) return readFileSync(kept, 'utf8');
  const { code, map } = transformSync(source, { ...OPTIONS, filename: path, sourceFileName: path });
  // Imports name the compiled file, as Node.js wants it.
  const compiled = code
    .replace(/\brequire\("(\.{1,2}\/[^"\n]+)\.js"\)/g, 'require("$1.ts")')
    // The address of such a module may be a URL, which Node.js imports but does not require.
    .replaceAll('_interop_require_wildcard(require(p))', 'import(p)');
  mkdirSync(dirname(kept), { recursive: true });
  for (const [file, text] of [
    [`${kept}.map`, map],
    [kept, compiled],
  ]) {
    writeFileSync(`${file}.${process.pid}`, text);
    renameSync(`${file}.${process.pid}`, file);
  }
  return compiled;
}

addHook(compile, { exts: ['.ts'], ignoreNodeModules: true });

module.exports = { sourceMaps };
