import { Presets, SingleBar } from 'cli-progress';
import { ReplayService, type ReplayedRecord, type ReplayResult } from '../dispatch/index.js';
import { invalid } from '../errors/errors.js';
import type { VersionChoice } from '../routers/index.js';
import type { CommandContext } from './command-context.js';
import { findAccount } from './find-account.js';
import { table } from './printer.js';
import { readInput } from './read-input.js';
import { withServices } from './with-services.js';

export interface Simulation {
  /** Slug of the account. */
  readonly account: string;
  /** Name of the router. */
  readonly router: string;
  /** Path of the file of records; `-` is standard input. */
  readonly file: string;
  readonly at?: Date;
  readonly version?: VersionChoice;
}

export async function simulate(
  context: CommandContext,
  { account, router, file, at, version }: Simulation,
): Promise<void> {
  const records = parseLines(await readInput(file));
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
