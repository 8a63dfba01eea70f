import { Command, InvalidArgumentError } from 'commander';
import { DEFAULT_SHARDS } from '../database/distribute.js';
import type { CommandContext } from './command-context.js';
import { openCommandDatabase } from './with-services.js';

interface MigrateOptions {
  readonly distribute?: boolean;
  readonly shards?: number;
}

/** `migrate`: applies pending migrations; with `--distribute`, distributes the tables over a cluster. */
export function migrateCommand(context: CommandContext): Command {
  return new Command('migrate')
    .description('apply pending database migrations')
    .option('--distribute', 'distribute the tables over the nodes of a Citus cluster, by account')
    .option('--shards <n>', `parts of each table, with --distribute (default: ${DEFAULT_SHARDS})`, shardCount)
    .action((options: MigrateOptions) => migrate(context, options));
}

/** The most that Citus allows. */
const MOST_SHARDS = 64_000;

function shardCount(text: string): number {
  const count = Number(text);
  if (/^\d+$/.test(text) && count >= 1 && count <= MOST_SHARDS) return count;
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${MOST_SHARDS}.`);
}

async function migrate(context: CommandContext, options: MigrateOptions): Promise<void> {
  const { extensions, settings, output } = context;
  const { distribute = false, shards } = options;
  if (!distribute && shards !== undefined) throw new Error('--shards needs --distribute');
  const known = await settings();
  if (distribute && known.DATABASE_URL === undefined)
    throw new Error('--distribute needs DATABASE_URL: the embedded database is no cluster');
  const database = await openCommandDatabase(known, {
    extensions: await extensions(),
    migrate: true,
    shards: distribute ? (shards ?? DEFAULT_SHARDS) : undefined,
    onWait: (line: string) => output.note(line),
  });
  await database.close();
  const { applied, distributed } = database;
  const lines = [
    ...applied.map((name) => `applied ${name}`),
    ...distributed.map((name) => `distributed ${name}`),
  ];
  const none = distribute
    ? 'the schema is up to date, and all tables are distributed'
    : 'the schema is up to date';
  output.print({ applied, ...(distribute && { distributed }) }, lines.length > 0 ? lines : [none]);
}
