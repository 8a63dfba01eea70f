// Runs a slow check where what it reads has changed since it passed: `node scripts/if-changed.mjs test:package`.
// `--record` says of all of them that they pass with what is there now, at the end of `npm run test:all`.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const PASSED = join(root, '.ci', 'passed.json');

/** By npm script, the files and folders that decide whether it passes, besides the code that all tests run. */
const READS = {
  'test:package': ['package.json', 'package-lock.json', 'scripts', 'console'],
  'test:node-versions': ['package.json', 'package-lock.json', 'scripts', 'jest.config.cjs', 'test/runner'],
  'openapi:tools': ['docs/openapi.json', 'openapi-tools'],
};

/** @returns a digest of the files of the repository in these places */
function digest(places) {
  const hash = createHash('sha256');
  const listed = execFileSync('git', ['ls-files', '-z', '--', ...places], { cwd: root, encoding: 'utf8' });
  for (const file of listed.split('\0').filter((name) => name !== ''))
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update('\0');
  return hash.digest('hex').slice(0, 16);
}

const [script] = process.argv.slice(2);
if (script === '--record') {
  const digests = Object.entries(READS).map(([name, places]) => [name, digest(places)]);
  writeFileSync(PASSED, `${JSON.stringify(Object.fromEntries(digests), null, 2)}\n`);
} else if (READS[script] === undefined) {
  console.error(`There is no such check: ${script}; there are ${Object.keys(READS).join(', ')}`);
  process.exitCode = 1;
} else if (JSON.parse(readFileSync(PASSED, 'utf8'))[script] === digest(READS[script])) {
  console.log(`${script} has passed with what it reads\n0 passed, 0 failed`);
} else {
  const { status } = spawnSync('npm', ['run', '-s', script], { cwd: root, stdio: 'inherit' });
  process.exitCode = status ?? 1;
}
