import { Presets, SingleBar } from 'cli-progress';
import { Command, InvalidArgumentError } from 'commander';
import { ReplayService, type ReplayedRecord, type ReplayResult } from '../dispatch/index.js';
import { invalid } from '../errors/errors.js';
import { parseInstant } from '../fields/index.js';
import type { VersionChoice } from '../routers/index.js';
import type { CommandContext } from './command-context.js';
import { findAccount } from './find-account.js';
import { table } from './printer.js';
import { readTextFile } from './read-text-file.js';
import { withServices } from './with-services.js';

interface SimulateOptions {
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
    .requiredOption('--file <records.ndjson>', 'a record a line: its fields, or {"fields": {...}}')
    .option('--at <instant>', 'the instant to decide at (ISO 8601); now unless given', readInstant)
    .option('--version <version>', 'live, draft or a number; live unless given', readVersion)
    .action(async ({ account, router, file, at, version }: SimulateOptions) => {
      const records = parseLines(await readTextFile(file));
      const bar = new SingleBar({ stream: process.stderr, hideCursor: true }, Presets.shades_classic);
      await withServices(context, async (services) => {
        bar.start(records.length, 0);
        try {
          const result = await services
            .get(ReplayService, { strict: false })
            .replay(await findAccount(services, account), {
              router,
              records,
              ...(at === undefined ? {} : { at }),
              ...(version === undefined ? {} : { version }),
              onProgress: (done) => bar.update(done),
            });
          bar.stop();
          context.print(result, describe(result));
        } finally {
          bar.stop();
        }
      });
    });
}

/**
 * Reads one JSON object per line.
 * @throws Error naming the first line that is no JSON object
 */
function parseLines(text: string): ReplayedRecord[] {
  const records: ReplayedRecord[] = [];
  for (const [index, line] of text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .entries()) {
    if (line.trim() === '') continue;
    records.push({ line: index + 1, fields: parseLine(line, index + 1) });
  }
  return records;
}

function parseLine(line: string, number: number): unknown {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw invalid([{ line: number, message: `Line ${number} is not JSON` }]);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid([{ line: number, message: `Line ${number} is not a JSON object` }]);
  }
  const keys = Object.keys(value);
  return keys.length === 1 && keys[0] === 'fields' ? (value as { fields: unknown }).fields : value;
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

function describe({ users, reasons, total, router, at }: ReplayResult): string[] {
  const percent = (records: number): string => `${((100 * records) / Math.max(total, 1)).toFixed(1)} %`;
  return [
    `${total} records through ${router} at ${at}`,
    '',
    ...table(
      ['USER', 'RECORDS', 'SHARE'],
      users.map(({ user, records }) => [user, String(records), percent(records)]),
    ),
    '',
    ...table(
      ['REASON', 'ASSIGNED', 'RECORDS', 'SHARE'],
      reasons.map(({ reason, assigned, records }) => [
        reason,
        assigned ? 'yes' : 'no',
        String(records),
        percent(records),
      ]),
    ),
  ];
}
