// Writes the table of docs/testing.md: for each clause how many tests of each tier prove it, and in which files most
// of them are. A test names its clauses in brackets at the end of its title. With --check, fails when the table is
// outdated. Always fails when no test of `npm test` names a clause, or a test names a clause that does not exist.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const document = join(root, 'docs', 'testing.md');
const START = '<!-- clauses: npm run coverage:specification -->\n';
const END = '<!-- end of clauses -->';
const SHOWN = 2;

const clauses = new Map(
  readFileSync(join(root, 'docs', 'specification-clauses.txt'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => {
      const [, id, title] = /^((?:contract )?[\d.]+) (.*)$/.exec(line);
      return [id, { title, files: new Map() }];
    }),
);

function* specs(directory) {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) yield* specs(path);
    else if (entry.name.endsWith('.spec.ts')) yield path;
  }
}

const SHORT_FAULTS = createRequire(import.meta.url)('../test/short-faults.json');
const isFault = (file) =>
  /^test\/(faults|processes)\//.test(file) && !SHORT_FAULTS.some((short) => file === `test/${short}.spec.ts`);

const TITLE = /\b(?:it|test)(?:\.each\([\s\S]*?\))?\(\s*(['"`])((?:(?!\1)[\s\S])*?)\s*\[([^\]]+)\]\1/g;
const problems = [];
for (const path of [...specs(join(root, 'test')), ...specs(join(root, 'src'))].sort()) {
  const file = relative(root, path);
  for (const [, , title, tags] of readFileSync(path, 'utf8').matchAll(TITLE)) {
    for (const tag of tags.split(',').map((each) => each.trim())) {
      const files = clauses.get(tag)?.files;
      if (files === undefined) problems.push(`${file}: "${title}" names the unknown clause ${tag}`);
      else files.set(file, (files.get(file) ?? 0) + 1);
    }
  }
}

const sum = (entries) => entries.reduce((total, [, count]) => total + count, 0);
const link = (file) => `[${file.replace(/^test\/|\.spec\.ts$/g, '')}](../${file})`;
const escape = (text) => text.replace(/[|<>*_`$\\]/g, (character) => `\\${character}`);
const rows = [...clauses].map(([id, { title, files }]) => {
  const all = [...files].sort(([, a], [, b]) => b - a);
  const faults = sum(all.filter(([file]) => isFault(file)));
  const test = sum(all) - faults;
  if (test === 0) problems.push(`no test of npm test names clause ${id} (${title})`);
  const most = all.slice(0, SHOWN).map(([file]) => link(file));
  return `| ${id} | ${escape(title)} | ${test} | ${faults} | ${most.join(', ')} |`;
});
const table = [
  '| Clause | | `npm test` | `test:faults` | Most of them |',
  '| --- | --- | --- | --- | --- |',
  ...rows,
  '',
].join('\n');
const before = readFileSync(document, 'utf8');
const [head, rest] = before.split(START);
const after = await format(`${head}${START}\n${table}\n${END}${rest.split(END)[1]}`, {
  ...(await resolveConfig(document)),
  parser: 'markdown',
});
if (!process.argv.includes('--check')) writeFileSync(document, after);
else if (before !== after)
  problems.push('docs/testing.md is out of date: run `npm run coverage:specification`');
for (const problem of problems) console.error(problem);
process.exit(problems.length > 0 ? 1 : 0);
