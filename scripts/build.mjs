// Compiles src/ and migrations/ to dist/, with declarations, and fails where types do not fit. With --if-needed it
// does nothing when dist/ was compiled from these sources, or when there are no sources; otherwise it compiles without
// checking types, in half the time and without the packages of types, which a production install does not have.
// dist/ is replaced when the compile has succeeded, and not before.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hasSources, sourceDigest, STAMP } from './source-digest.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const dist = join(root, 'dist');
const ifNeeded = process.argv.includes('--if-needed');
// Beside dist/, because source maps have relative paths. Two builds may run at the same time.
const next = `${dist}.next-${process.pid}`;
const previous = `${dist}.previous-${process.pid}`;

function end(message) {
  console.error(message);
  process.exit(1);
}

function remove(path) {
  rmSync(path, { recursive: true, force: true });
}

function isCurrent(digest) {
  try {
    return readFileSync(join(dist, STAMP), 'utf8') === digest;
  } catch {
    return false;
  }
}

function compiler() {
  try {
    return createRequire(import.meta.url).resolve('typescript/bin/tsc');
  } catch {
    return end(
      `dist/ is ${existsSync(dist) ? 'not compiled from these sources' : 'missing'}, and the compiler is not installed. ` +
        'Run:\n  npm ci --include=dev && npm run build && npm prune --omit=dev',
    );
  }
}

/** Compiles to `next`. @returns whether it succeeded */
async function compile(options) {
  // The compiler writes to standard output, which belongs to the command that is started afterwards. Its output
  // is therefore sent to standard error.
  const args = [compiler(), '-p', join(root, 'tsconfig.build.json'), '--outDir', next, ...options];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 2, 2] });
  // What was compiled so far is removed then.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  const [status] = await once(child, 'exit');
  return status === 0;
}

/** Puts `next`, which has its stamp, in the place of dist/. */
function publish() {
  try {
    if (existsSync(dist)) renameSync(dist, previous);
    renameSync(next, dist);
  } catch {
    // dist/ cannot be renamed where it is a mount of its own, or in use on Windows; or another build was faster.
    // The stamp comes last, so that a copy that is interrupted has none.
    const [from, to] = [next, dist].map((folder) => join(folder, STAMP));
    remove(to);
    cpSync(next, dist, { recursive: true, filter: (path) => path !== from });
    cpSync(from, to);
  }
}

if (!hasSources()) {
  if (ifNeeded && existsSync(join(dist, 'src/main.js'))) process.exit(0);
  end(`There is nothing to ${ifNeeded ? 'start: dist/' : 'compile: src/'} is missing.`);
}
const digest = sourceDigest();
if (ifNeeded && isCurrent(digest)) process.exit(0);

const startedAt = Date.now();
if (ifNeeded) console.error('Compiling, once for these sources: this takes some seconds …');
try {
  process.exitCode = 1;
  if (await compile(ifNeeded ? ['--noCheck', '--declaration', 'false'] : [])) {
    writeFileSync(join(next, STAMP), digest);
    publish();
    process.exitCode = 0;
    if (ifNeeded) console.error(`Compiled in ${((Date.now() - startedAt) / 1000).toFixed(1)} s.`);
  }
} finally {
  remove(next);
  remove(previous);
}
