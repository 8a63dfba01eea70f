// Builds the console into dist/console, where that is missing or older than its source; installs what it needs first.
//   node scripts/console.mjs           as `npm run build` does
//   node scripts/console.mjs --try     as `npm start` does: without the console, the API starts all the same
//   node scripts/console.mjs --check   builds, and checks types, lint, and that the schema of the API is current
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const source = join(root, 'console');
/** What the built console is made of. Not in its folder: all of that is served. */
const stamp = join(root, 'dist/.console');
const checks = process.argv.includes('--check');

/** The same text for the same source, whatever the times of its files. */
function digest() {
  const hash = createHash('sha256');
  const add = (path) => {
    if (statSync(path).isDirectory()) for (const name of readdirSync(path).sort()) add(join(path, name));
    else hash.update(relative(source, path)).update(readFileSync(path));
  };
  for (const name of ['build', 'index.html', 'package-lock.json', 'src', 'vite.config.ts'])
    add(join(source, name));
  return hash.digest('hex');
}

function run(command, args, cwd = source) {
  const { status, error } = spawnSync(command, args, {
    cwd,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (error !== undefined || status !== 0) throw new Error(`${command} ${args.join(' ')} failed`);
}

function isInstalled() {
  const installed = join(source, 'node_modules/.package-lock.json');
  return (
    existsSync(installed) &&
    statSync(installed).mtimeMs >= statSync(join(source, 'package-lock.json')).mtimeMs
  );
}

function build() {
  const wanted = digest();
  const isCurrent =
    existsSync(join(root, 'dist/console/index.html')) &&
    existsSync(stamp) &&
    readFileSync(stamp, 'utf8') === wanted;
  if (isCurrent && !checks) return;
  if (!isInstalled()) run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error', '--fetch-retries=1']);
  run('npm', ['run', '-s', 'build']);
  writeFileSync(stamp, wanted);
}

function check() {
  run('npx', ['--no-install', 'tsc']);
  run('npx', ['--no-install', 'eslint', 'console'], root);
  const kept = join(source, 'src/api/schema.d.ts');
  const before = readFileSync(kept, 'utf8');
  run('npm', ['run', '-s', 'schema']);
  if (readFileSync(kept, 'utf8') !== before) {
    throw new Error('console/src/api/schema.d.ts was out of date: it is written, commit it');
  }
}

try {
  // A package that was installed has the built console and no source.
  if (existsSync(source)) build();
  if (checks) check();
} catch (error) {
  console.error(`The console: ${error.message}`);
  if (!process.argv.includes('--try')) process.exit(1);
  console.error('The API starts without it.');
}
