import { Command, InvalidArgumentError } from 'commander';
import { SLUG } from '../accounts/account-context.js';
import type { TableRows } from '../database/dump/dump-header.js';
import { fairleadVersion } from '../settings/package.js';
import type { CommandContext } from './command-context.js';
import { table } from './command-output.js';

/** `dump [--account <slug>] <file>`: writes the rows of all tables to a file that `load` reads. */
export function dumpCommand(context: CommandContext): Command {
  return new Command('dump')
    .description('write the rows of all tables to a new file, for any version of PostgreSQL')
    .argument('<file>', 'the dump, which must not exist')
    .option('--account <slug>', 'the rows of this account only, for `load --account`')
    .action((path: string, { account }: { account?: string }) => dump(context, path, account));
}

async function dump(context: CommandContext, file: string, slug?: string): Promise<void> {
  const { settings, located, output } = context;
  const { writeDump } = await import('../database/dump/write-dump.js');
  const { ACCOUNTS_TABLE } = await import('../accounts/index.js');
  const { DATABASE_URL: url, DATA_DIR: dataDir } = await settings();
  const path = located(file);
  const tables = await writeDump({
    url,
    dataDir,
    path,
    fairlead: fairleadVersion(),
    account: slug === undefined ? undefined : { slug, table: ACCOUNTS_TABLE },
    log: (line) => output.note(line),
  });
  output.print({ dump: file, ...(slug !== undefined && { account: slug }), tables }, listed(tables));
}

interface LoadFlags {
  readonly account?: boolean;
  readonly slug?: string;
}

/** `load [--account] <file>`: loads a dump into an empty database, or one account beside others. */
export function loadCommand(context: CommandContext): Command {
  return new Command('load')
    .description('load a dump into an empty database, all or nothing')
    .argument('<file>', 'the dump')
    .option('--account', 'a dump of one account, into a database with others, which may be served')
    .option('--slug <slug>', 'with --account: what the account is called there', readSlug)
    .action(async (path: string, { account, slug }: LoadFlags) => {
      if (account === true) return loadOne(context, path, slug);
      if (slug !== undefined) throw new Error('--slug is for load --account: other dumps keep their slugs');
      return load(context, path);
    });
}

async function load({ extensions, settings, located, output }: CommandContext, file: string): Promise<void> {
  const { loadDump } = await import('../database/dump/load-dump.js');
  const { migrationsWith } = await import('../start/entities.js');
  const migrations = migrationsWith(await extensions());
  const { DATABASE_URL: url, DATA_DIR: dataDir } = await settings();
  const { tables, applied, header } = await loadDump({ url, dataDir, path: located(file), migrations });
  output.print({ loaded: file, dumped_at: header.createdAt, tables, applied }, [
    ...listed(tables),
    ...applied.map((name) => `applied ${name}`),
  ]);
}

async function loadOne(context: CommandContext, file: string, slug?: string): Promise<void> {
  const { settings, located, output } = context;
  const { loadAccount } = await import('../database/dump/load-account.js');
  const { ACCOUNTS_TABLE } = await import('../accounts/index.js');
  const { DATABASE_URL: url, DATA_DIR: dataDir } = await settings();
  const log = (line: string): void => output.note(line);
  const loaded = await loadAccount({ url, dataDir, path: located(file), table: ACCOUNTS_TABLE, slug, log });
  const { account, createdAt, tables } = loaded;
  output.print({ loaded: file, account: account.slug, dumped_at: createdAt, tables }, listed(tables));
}

function readSlug(text: string): string {
  if (!SLUG.pattern.test(text)) throw new InvalidArgumentError(`It must be ${SLUG.allowed}.`);
  return text;
}

const listed = (tables: readonly TableRows[]): string[] =>
  table(
    ['TABLE', 'ROWS'],
    tables.map((each) => [each.table, each.rows]),
  );
