import { Presets, SingleBar } from 'cli-progress';
import { LineFailures, ReplayService, type ReplayedRecord, type ReplayResult } from '../dispatch/index.js';
import type { VersionChoice } from '../routers/index.js';
import { isPlainObject } from '../text/is-plain-object.js';
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
  const versioned = version === undefined ? {} : { version };
  const bar = new SingleBar({ stream: context.stderr, hideCursor: true }, Presets.shades_classic);
  await withServices(context, async (services) => {
    const replays = services.get(ReplayService, { strict: false });
    const tenant = await findAccount(services, account);
    await replays.requireRouter(tenant, { router, ...versioned });
    const { records, unread } = parseLines(await readInput(context, file));
    bar.start(records.length, 0);
    try {
      const result = await replays.replay(tenant, {
        router,
        records,
        unread,
        ...(at === undefined ? {} : { at }),
        ...versioned,
        onProgress: (done) => bar.update(done),
      });
      bar.stop();
      context.print(result, describe(result));
    } finally {
      bar.stop();
    }
  });
}

/** Reads one JSON object per line. */
function parseLines(text: string): { records: ReplayedRecord[]; unread: LineFailures } {
  const records: ReplayedRecord[] = [];
  const unread = new LineFailures();
  const lines = text.replace(/^\uFEFF/, '').split('\n');
  for (const [index, content] of lines.entries()) {
    if (content.trim() === '') continue;
    const line = index + 1;
    const value = parsed(content);
    if (value === undefined) unread.addUnread(line, `Line ${line} is not JSON`);
    else if (!isPlainObject(value)) unread.addUnread(line, `Line ${line} is not a JSON object`);
    else records.push({ line, fields: fieldsOf(value) });
  }
  return { records, unread };
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
