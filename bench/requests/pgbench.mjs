// pgbench with the statements of the baselines: what the database does for as many connections, without HTTP.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { STATEMENTS } from './statements.mjs';

const DEBIAN = '/usr/lib/postgresql';

/** @returns the path of the program, or undefined where there is none */
export function findPgbench() {
  const folders = (process.env.PATH ?? '').split(delimiter);
  if (existsSync(DEBIAN)) folders.push(...readdirSync(DEBIAN).map((version) => join(DEBIAN, version, 'bin')));
  const program = folders.map((folder) => join(folder, 'pgbench')).find((path) => existsSync(path));
  if (program === undefined) return undefined;
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return program;
  } catch {
    return undefined;
  }
}

/** The ids of an account's records, which the scripts draw by number. */
export async function preparePgbench(client, accounts) {
  await client.query('CREATE TABLE bench_ids (account uuid, n int, id uuid, PRIMARY KEY (account, n))');
  for (const { id, objects } of accounts) {
    await client.query(
      'INSERT INTO bench_ids SELECT $1, n - 1, id FROM unnest($2::uuid[]) WITH ORDINALITY AS o (id, n)',
      [id, objects],
    );
  }
}

const SCRIPTS = {
  GET: STATEMENTS.find,
  'list 100': STATEMENTS.list,
  POST: STATEMENTS.create,
  PATCH: STATEMENTS.update,
};

/** Returns the statement with its values in place. */
function script(operation, { id: account, objects }) {
  const drawn = `(SELECT id FROM bench_ids WHERE account = '${account}' AND n = :n)`;
  const fields =
    operation === 'PATCH'
      ? `jsonb_build_object('city', 'Paris ' || :n)`
      : `jsonb_build_object('first_name', 'Bench ' || :n, 'country', 'US')`;
  const text = SCRIPTS[operation].text
    .replaceAll('$1', `'${account}'`)
    .replaceAll('$2::jsonb', fields)
    .replaceAll('$3::jsonb', fields)
    .replaceAll('$2', drawn)
    .replaceAll(/\s+/g, ' ');
  return `\\set n random(0, ${objects.length - 1})\n${text};\n`;
}

/** @returns transactions per second, as `measure` does */
export async function measurePgbench(program, { url, folder, operation, account }, clients, seconds) {
  const file = join(folder, 'pgbench.sql');
  writeFileSync(file, script(operation, account));
  const child = spawn(
    program,
    ['-n', '-M', 'prepared', '-c', String(clients), '-j', '1', '-T', String(seconds), '-f', file, url],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let printed = '';
  child.stdout.on('data', (chunk) => (printed += chunk));
  child.stderr.on('data', (chunk) => (printed += chunk));
  await once(child, 'close');
  const [, rate] = /^tps = ([\d.]+)/m.exec(printed) ?? [];
  if (rate === undefined) throw new Error(`pgbench: ${printed}`);
  const [, failed = '0'] = /^number of failed transactions: (\d+)/m.exec(printed) ?? [];
  return { rate: Number(rate), failed: Number(failed), times: [] };
}
