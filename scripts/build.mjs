// Compiles src/ and migrations/ to dist/. With --if-needed it does nothing when dist/ is newer than every
// source.
import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const stamp = join(root, 'dist', '.built');

function newest(path) {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
}

function isCurrent() {
  const sources = ['src', 'migrations', 'tsconfig.json', 'tsconfig.build.json', 'package.json'];
  try {
    const builtAt = statSync(stamp).mtimeMs;
    return sources.every((source) => newest(join(root, source)) < builtAt);
  } catch {
    return false;
  }
}

if (process.argv.includes('--if-needed') && isCurrent()) process.exit(0);

const startedAt = new Date();
rmSync(join(root, 'dist'), { recursive: true, force: true });
let compiler;
try {
  compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc');
} catch {
  console.error(
    'dist/ is missing or outdated and the compiler is not installed: run `npm ci` with devDependencies.',
  );
  process.exit(1);
}
// The compiler writes to standard output, which belongs to the command that is started afterwards. Its output
// is therefore sent to standard error.
const { status } = spawnSync(process.execPath, [compiler, '-p', join(root, 'tsconfig.build.json')], {
  stdio: ['ignore', 2, 2],
});
if (status === 0) {
  writeFileSync(stamp, '');
  utimesSync(stamp, startedAt, startedAt);
}
process.exit(status ?? 1);
