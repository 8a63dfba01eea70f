// Mutation testing, not part of CI: changes a file in one place at a time and says whether its tests notice.
//   node scripts/mutate.mjs [--max N] [--seed S] [--list] <file, folder or pattern>...
// It works in a copy of the checkout; its PostgreSQL is started once.
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import ts from 'typescript';
import { mutantsOf } from './mutation/mutants.mjs';
import { SERVICE_TESTS } from './mutation/service-tests.mjs';

const TIMEOUT = 120_000;
const LEFT_OUT = new Set(['.git', 'node_modules', 'data', 'coverage']);
const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const require = createRequire(import.meta.url);

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { max: { type: 'string' }, seed: { type: 'string' }, list: { type: 'boolean' } },
});
const files = ts.sys
  .readDirectory(root, ['.ts'], ['**/*.spec.ts', '**/testing/**', '**/node_modules/**'], positionals)
  .map((path) => relative(root, path));
if (positionals.length === 0 || files.length === 0) {
  console.error('Usage: node scripts/mutate.mjs [--max N] [--seed S] [--list] <file, folder or pattern>...');
  process.exit(1);
}

/** So many of a list, chosen by the seed, in their order. */
function sample(list, count, seed) {
  let state = seed;
  const random = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const drawn = list.map((item, index) => ({ item, index, key: random() })).sort((a, b) => a.key - b.key);
  const chosen = drawn.slice(0, count).sort((a, b) => a.index - b.index);
  return chosen.map(({ item }) => item);
}

const sources = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
const all = files.flatMap((file) =>
  mutantsOf(file, sources.get(file)).map((mutant) => ({ file, ...mutant })),
);
const seed = Number(options.seed ?? Date.now() % 100_000);
const mutants = options.max === undefined ? all : sample(all, Number(options.max), seed);
const shown = ({ file, line, change }) => `${file}:${line}  ${change}`;
console.error(`${mutants.length} of ${all.length} mutants of ${files.length} files, seed ${seed}`);

const copy = join(tmpdir(), `fairlead-mutants-${process.pid}`);
const jest = [
  join(root, 'node_modules/jest/bin/jest.js'),
  '--config=jest.config.cjs',
  '--reporters=default',
  `--reporters=${join(root, 'scripts/mutation/first-failure.cjs')}`,
  '--ci',
  '--bail',
  // A test that hangs need not hang for a minute.
  '--testTimeout=20000',
  // One process runs all, and the reporter ends it. Patterns follow: no option with a list may stand last.
  '-i',
];
let running;

/** Ends a process and all that it has started. */
function endGroup(pid) {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // There is none left.
  }
}

/** Runs jest in the copy. @returns 'passed', 'failed' or 'timed out', and what it printed */
function run(args) {
  // A process group of its own, so that what the tests have started can be ended with them.
  const env = { ...process.env, TMPDIR: join(copy, 'tmp') };
  const child = spawn(process.execPath, [...jest, ...args], { cwd: copy, detached: true, env });
  running = child;
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    endGroup(child.pid);
  }, TIMEOUT);
  return new Promise((resolve) => {
    child.on('exit', () => endGroup(child.pid));
    child.on('close', (code) => {
      clearTimeout(timer);
      running = undefined;
      resolve({ status: late ? 'timed out' : code === 0 ? 'passed' : 'failed', output });
    });
  });
}

/** The runs of jest that test a file, the cheaper first. */
function testsOf(file) {
  const list = ['--selectProjects', 'unit', '--listTests', '--findRelatedTests', file];
  const { stdout } = spawnSync(process.execPath, [...jest, ...list], { cwd: copy, encoding: 'utf8' });
  const unit = stdout.split('\n').filter((line) => line.endsWith('.spec.ts'));
  const isNear = (spec) => dirname(spec) === dirname(join(copy, file));
  const near = unit.filter(isNear);
  const far = unit.filter((spec) => !isNear(spec));
  const service = SERVICE_TESTS.find(([path]) => file.includes(path))?.[1] ?? [];
  const runs = [near, far].map((specs) => ['--runTestsByPath', ...specs]).filter(({ length }) => length > 1);
  return service.length === 0 ? runs : [...runs, service];
}

/** Runs tests until one notices something. @returns the last run */
async function firstFailure(tests) {
  let result = { status: 'passed', output: '' };
  for (const args of tests) {
    result = await run(args);
    if (result.status !== 'passed') break;
  }
  return result;
}

const compiler = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile).config.compilerOptions;
const { options: compilerOptions } = ts.convertCompilerOptionsFromJson(compiler, root);

/** Puts a source file into the copy, and what it compiles to, for tests that start the compiled service. */
function put(file, text) {
  writeFileSync(join(copy, file), text);
  const { outputText } = ts.transpileModule(text, { fileName: file, compilerOptions });
  writeFileSync(join(copy, 'dist', file.replace(/\.ts$/, '.js')), outputText);
}

let interrupted = false;
process.on('SIGINT', () => {
  interrupted = true;
  if (running !== undefined) endGroup(running.pid);
});

/** Tests the mutants one after the other. @returns a verdict for each */
async function testMutants() {
  const results = [];
  const tried = new Set();
  try {
    await require('../test/support/global-setup.cjs')();
    cpSync(root, copy, { recursive: true, filter: (path) => !LEFT_OUT.has(basename(path)) });
    mkdirSync(join(copy, 'tmp'));
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
    for (const file of new Set(mutants.map((mutant) => mutant.file))) {
      const tests = testsOf(file);
      const untried = tests.filter((args) => !tried.has(args.join()));
      const { status, output } = await firstFailure(untried);
      if (interrupted) break;
      if (status !== 'passed') throw new Error(`${file}: the tests ${status} without a mutant\n${output}`);
      for (const args of untried) tried.add(args.join());
      for (const mutant of mutants.filter((each) => each.file === file)) {
        const source = sources.get(file);
        put(file, source.slice(0, mutant.start) + mutant.text + source.slice(mutant.end));
        const startedAt = Date.now();
        const { status } = await firstFailure(tests);
        if (interrupted) break;
        const seconds = (Date.now() - startedAt) / 1000;
        const verdict = { passed: 'survived', failed: 'killed', 'timed out': 'timed out' }[status];
        results.push({ ...mutant, verdict, seconds });
        console.log(`${verdict.padEnd(9)} ${seconds.toFixed(1).padStart(5)} s  ${shown(mutant)}`);
      }
      put(file, sources.get(file));
      if (interrupted) break;
      // Were the server gone, say, every mutant would seem killed.
      if ((await firstFailure(tests)).status !== 'passed')
        throw new Error(`${file}: the tests fail by themselves`);
    }
  } finally {
    await require('../test/support/global-teardown.cjs')();
    rmSync(copy, { recursive: true, force: true });
  }
  return results;
}

const count = (list, verdict) => list.filter((each) => each.verdict === verdict).length;
const row = (name, list) => ({
  file: name,
  mutants: list.length,
  killed: count(list, 'killed'),
  'timed out': count(list, 'timed out'),
  survived: count(list, 'survived'),
  'seconds each': Math.round(list.reduce((sum, { seconds }) => sum + seconds, 0) / list.length),
});

function report(results) {
  const of = (file) => results.filter((each) => each.file === file);
  const tested = files.filter((file) => of(file).length > 0);
  console.table([...tested.map((file) => row(file, of(file))), row('all', results)]);
  for (const each of results) if (each.verdict === 'survived') console.log(`survived  ${shown(each)}`);
}

if (options.list) for (const mutant of mutants) console.log(shown(mutant));
else report(await testMutants());
