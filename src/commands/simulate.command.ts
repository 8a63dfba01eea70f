import { Command, InvalidArgumentError } from 'commander';
import type { ReplayedRecord, ReplayResult } from '../dispatch/index.js';
import type { VersionChoice } from '../routers/index.js';
import { isPlainObject } from '../text/is-plain-object.js';
import { parseInstant } from '../time/parse-instant.js';
import type { CommandContext } from './command-context.js';
import { readInput } from './files.js';
import { table } from './command-output.js';
import { findAccount, withServices } from './with-services.js';

interface Simulation {
  readonly account: string;
  readonly router: string;
  readonly file: string;
  readonly at?: Date;
  readonly version?: VersionChoice;
}

/**
 * `simulate`: replays a file of records with a router and prints how many records each user would get. Writes
 * nothing.
 */
export function simulateCommand(context: CommandContext): Command {
  return new Command('simulate')
    .description('replay records through a router and print the distribution; nothing is written')
    .requiredOption('--account <slug>', 'the account')
    .requiredOption('--router <name>', 'the router')
    .requiredOption(
      '--file <records.ndjson>',
      'a record a line: its fields, or {"fields": {...}}; - for standard input',
    )
    .option('--at <instant>', 'the instant to decide at (ISO 8601); now unless given', readInstant)
    .option('--version <version>', 'live, draft or a number; live unless given', readVersion)
    .action((options: Simulation) => simulate(context, options));
}

async function simulate(context: CommandContext, simulation: Simulation): Promise<void> {
  const { account, router, file, at, version } = simulation;
  const versioned = version === undefined ? {} : { version };
  const { Presets, SingleBar } = await import('cli-progress');
  const { ReplayService } = await import('../dispatch/index.js');
  const bar = new SingleBar({ stream: context.output.stderr, hideCursor: true }, Presets.shades_classic);
  await withServices(context, async (services) => {
    const replays = services.get(ReplayService, { strict: false });
    const tenant = await findAccount(services, account);
    await replays.requireRouter(tenant, { router, ...versioned });
    const records = parseLines(await readInput(context, file));
    bar.start(records.length, 0);
    try {
      const onProgress = (done: number): void => bar.update(done);
      const replay = { router, records, ...(at !== undefined && { at }), ...versioned, onProgress };
      const result = await replays.replay(tenant, replay);
      bar.stop();
      context.output.print(result, describe(result));
    } finally {
      bar.stop();
    }
  });
}

/** Reads one JSON object per line. */
function parseLines(text: string): ReplayedRecord[] {
  const lines = text.replace(/^\uFEFF/, '').split('\n');
  return lines.flatMap((content, index): ReplayedRecord[] => {
    if (content.trim() === '') return [];
    const line = index + 1;
    const value = parsed(content);
    if (isPlainObject(value)) return [{ line, fields: fieldsOf(value) }];
    return [{ line, problem: `Line ${line} is not ${value === undefined ? 'JSON' : 'a JSON object'}` }];
  });
}

/** Returns undefined for a text that is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function fieldsOf(record: Readonly<Record<string, unknown>>): unknown {
  const keys = Object.keys(record);
  return keys.length === 1 && keys[0] === 'fields' ? record['fields'] : record;
}

function describe({ users, reasons, total, router, at }: ReplayResult): string[] {
  const percent = (records: number): string => `${((100 * records) / Math.max(total, 1)).toFixed(1)} %`;
  return [
    `${total} records through ${router} at ${at}`,
    '',
    ...table(
      ['USER', 'RECORDS', 'SHARE'],
      users.map(({ user, records }) => [user, records, percent(records)]),
    ),
    '',
    ...table(
      ['REASON', 'ASSIGNED', 'RECORDS', 'SHARE'],
      reasons.map((each) => [each.reason, each.assigned ? 'yes' : 'no', each.records, percent(each.records)]),
    ),
  ];
}

function readInstant(text: string): Date {
  const time = parseInstant(text);
  if (time === undefined) throw new InvalidArgumentError('It must be an ISO 8601 date and time.');
  return new Date(time);
}

function readVersion(text: string): VersionChoice {
  if (text === 'live' || text === 'draft') return text;
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new InvalidArgumentError('It must be live, draft or the number of a version.');
  return Number(text);
}
