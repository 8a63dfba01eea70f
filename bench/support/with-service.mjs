// A database with the tables of the service and one account, for as long as some work takes.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serviceOn } from './service.mjs';

const { EmbeddedPostgres } = createRequire(import.meta.url)(
  '../../dist/src/database/embedded/embedded-postgres.js',
);

/**
 * @param account with a slug, as in a configuration file
 * @param work gets the environment of a service, and a function that makes a client of the account
 */
export async function withService(account, work) {
  const folder = mkdtempSync(join(tmpdir(), 'fairlead-bench-'));
  const undo = [() => rmSync(folder, { recursive: true, force: true })];
  try {
    const postgres = await EmbeddedPostgres.open({ dataDir: join(folder, 'data'), maxConnections: 150 });
    undo.push(() => postgres.close());
    const { env, cli } = serviceOn(postgres.url);
    cli('migrate');
    const file = join(folder, 'bench.yaml');
    // JSON is YAML.
    writeFileSync(file, JSON.stringify({ accounts: [account] }));
    cli('apply', file);
    const newClient = () =>
      JSON.parse(cli('client', 'create', '--account', account.slug, '--name', 'bench', '--json'));
    return await work({ env, newClient });
  } finally {
    for (const step of undo.reverse()) await step();
  }
}
