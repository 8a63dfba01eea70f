// npm run bench:plans — see bench/README.md.
import { readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Site } from '../requests/site.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const dist = join(here, '..', '..', 'dist', 'src');
const require = createRequire(import.meta.url);

const { values: options } = parseArgs({ options: { size: { type: 'string', default: '1000000' } } });
const size = Number(options.size);
if (!(size > 0)) throw new Error('--size must be a positive number');

/** Statements that are made for what a list shows, for an ordinary one. */
const LISTS = ['after', 'offset'].flatMap((start) =>
  [true, false].map(
    (active) => (module) => module.listStatement(active, start, { objectType: 'contacts', hasExtras: false }),
  ),
);

/** Whether it is a statement that PostgreSQL plans: LOCK is not. */
const isPlanned = (value) =>
  typeof value?.name === 'string' && typeof value?.text === 'string' && !value.text.startsWith('LOCK ');

/** Every statement that a module of the service exports, by name. */
function statements() {
  const files = readdirSync(dist, { recursive: true }).filter((file) => /statements?\.js$/.test(file));
  const modules = files.map((file) => require(join(dist, file)));
  const exported = modules.flatMap((module) => Object.values(module));
  const nested = exported.flatMap((value) =>
    typeof value === 'object' && value !== null ? Object.values(value) : [],
  );
  const lists = modules
    .filter((module) => module.listStatement)
    .flatMap((module) => LISTS.map((make) => make(module)));
  const all = [...exported, ...nested, ...lists].filter(isPlanned);
  const byName = new Map(all.map((statement) => [statement.name, statement]));
  return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Those of the sessions of the service (ADR 35). */
const SETTINGS = ['enable_seqscan', 'enable_bitmapscan', 'enable_incremental_sort', 'jit']
  .map((name) => `SET LOCAL ${name} = off`)
  .join(';');

/** The generic plan of a statement, which PostgreSQL makes without values. */
async function planOf(client, statement) {
  await client.query('BEGIN');
  await client.query(SETTINGS);
  try {
    const { rows } = await client.query(`EXPLAIN (GENERIC_PLAN, COSTS OFF) ${statement.text}`);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  } catch (error) {
    throw new Error(`${statement.name}: ${error.message}`, { cause: error });
  } finally {
    await client.query('ROLLBACK');
  }
}

const site = await Site.create();
try {
  const progress = (text) => process.stderr.write(`${text}\n`);
  await site.load([size], progress);
  await site.start(progress);
  await site.sql((client) => client.query('VACUUM ANALYZE'));
  const plans = await site.sql(async (client) => {
    const texts = [];
    for (const statement of statements())
      texts.push(`${statement.name}\n\n${await planOf(client, statement)}\n`);
    return texts;
  });
  const rule = `${'-'.repeat(80)}\n`;
  writeFileSync(
    join(here, 'plans.txt'),
    [`One account, ${size} records and log entries\n`, ...plans].join(rule),
  );
  console.log(`${plans.length} plans`);
} finally {
  await site.stop();
}
