// Runs the commands of README.md and docs/ against the built service, and compares what they print with what the
// documents show. Each document has a service with a demo account of its own. Prints a line for each document. With
// --write, documents are changed to show what is printed, where it differs.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { check, finish } from './support/checks.mjs';
import { commandsOf, comparable, shown } from './support/documents.mjs';
import { newFolder, run, stop } from './support/programs.mjs';
import { Shell } from './support/shell.mjs';
import { demoServer } from './support/tour.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const writes = process.argv.includes('--write');

const DOCUMENTS = [
  'README.md',
  ...['records', 'requests', 'configuration', 'management', 'import'].map((name) => `docs/${name}.md`),
];

/** What a reader has done before: the tour, up to its token. */
const PRELUDE = [
  'fairlead() { node "$ROOT/dist/src/cli.js" "$@"; }',
  'json() { node -p "JSON.parse(fs.readFileSync(0)).$1"; }',
  'TOKEN=$(curl -s $ADDRESS/oauth2/token -d client_id=$CLIENT_ID -d client_secret=$CLIENT_SECRET | json access_token)',
];

async function runDocument(path) {
  const markdown = readFileSync(join(root, path), 'utf8');
  const settings = { PORT: '0', DRAIN_SECONDS: '0', DATA_DIR: join(newFolder('docs'), 'data') };
  const server = run(process.execPath, [join(root, 'dist/src/main.js')], { env: settings });
  const { address, credentials } = await demoServer(server);
  const { client_id: CLIENT_ID, client_secret: CLIENT_SECRET } = credentials;
  const env = { ...settings, ROOT: root, ADDRESS: address, CLIENT_ID, CLIENT_SECRET };
  const shell = new Shell({ cwd: newFolder('reader'), env });
  const differences = [];
  try {
    for (const line of PRELUDE) await shell.run(line);
    let printed = server.output;
    for (const { script, line, expected, at, mayFail } of commandsOf(markdown)) {
      const typed = filled(script, printed)
        .replaceAll('localhost:3000', new URL(address).host)
        .replaceAll('npm run -s fairlead --', 'fairlead');
      const output = await shell
        .run(typed, { mayFail })
        .catch((error) => fail(`${path}:${line}: ${error.message}`));
      printed += output;
      if (expected === undefined) continue;
      const found = expected.startsWith('{') ? `${output.trim().split('\n').at(-1)}\n` : output;
      if (comparable(found) !== comparable(expected)) differences.push({ line, at, expected, found });
    }
  } finally {
    shell.end();
    await stop(server);
  }
  if (writes) await rewrite(path, { markdown, differences });
  else if (differences.length > 0)
    fail(differences.map((each) => `${path}:${each.line}: ${differenceOf(each)}`).join('\n'));
}

function fail(message) {
  throw new Error(message);
}

const differenceOf = ({ expected, found }) =>
  `prints\n${comparable(found)}\nand not\n${comparable(expected)}`;

/** Gives each `NAME=… # word` what was printed last behind the word. */
function filled(script, printed) {
  return script.replace(/^(\w+)=…( +# (\w+).*)$/gm, (_, name, comment, word) => {
    const found = [...printed.matchAll(new RegExp(`\\b${word}"?: *"?([\\w-]+)`, 'g'))].at(-1)?.[1];
    return `${name}=${found ?? fail(`Nothing has printed a ${word} for ${name}`)}${comment}`;
  });
}

async function rewrite(path, { markdown, differences }) {
  let text = markdown;
  for (const { at, expected, found } of differences.toReversed()) {
    text = text.slice(0, at) + (await shown(found)) + text.slice(at + expected.length);
  }
  writeFileSync(join(root, path), text);
}

for (const path of DOCUMENTS)
  await check(`the commands of ${path} print what it shows`, () => runDocument(path));
finish();
