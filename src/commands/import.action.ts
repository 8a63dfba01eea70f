import { Presets, SingleBar } from 'cli-progress';
import type { ObjectType } from '../fields/index.js';
import {
  noCounts,
  readCsv,
  readNdjson,
  RecordImporter,
  type ImportCounts,
  type ImportRun,
} from '../transfer/index.js';
import type { CommandContext } from './command-context.js';
import { DONE_IN_PART, FOUND_CHANGES } from './exit-codes.js';
import { findAccount } from './find-account.js';
import { importClient } from './import-client.js';
import { ImportRejects } from './import-rejects.js';
import { formatOf, openSource, type FileFormat, type ImportSource } from './import-source.js';
import { withServices } from './with-services.js';

export interface ImportFlags {
  /** Slug of the account. */
  readonly account: string;
  readonly type: ObjectType;
  /** Path of the file; `-` is standard input. */
  readonly file: string;
  readonly key: string;
  readonly format?: FileFormat;
  /** Fields by column. */
  readonly map?: ReadonlyMap<string, string>;
  readonly clearEmpty?: boolean;
  /** Name of a router. */
  readonly router?: string;
  /** Path of the file for rows that are refused. */
  readonly rejects?: string;
  readonly dryRun?: boolean;
}

/** What an import prints. */
interface Summary extends ImportCounts {
  readonly account: string;
  readonly object_type: ObjectType;
  readonly file: string;
  readonly dry_run: boolean;
  /** Whether all rows were read. */
  readonly finished: boolean;
  /** The first rows that are refused. */
  readonly errors: readonly { readonly line: number; readonly message: string }[];
  readonly errors_omitted: number;
}

/** Connections of an import: eight rows are written at the same time, and one is for what it reads. */
const POOL_SIZE = 9;

/** Imports a file. An interrupt ends it after the rows that are being written. */
export async function importRecords(context: CommandContext, flags: ImportFlags): Promise<void> {
  // What is wrong with the environment is told before what is wrong with the file.
  await context.settings();
  const format = flags.format ?? formatOf(flags.file);
  const interrupt = new AbortController();
  const stop = (): void => interrupt.abort();
  const source = await openSource(context, flags.file, interrupt.signal);
  for (const signal of SIGNALS) process.once(signal, stop);
  try {
    const summary = await importSource(context, { ...flags, format }, { source, signal: interrupt.signal });
    if (flags.rejects === undefined) for (const line of shownErrors(summary)) context.note(line);
    context.print(summary, describe(summary, flags));
    context.endWith(exitCodeOf(summary));
  } finally {
    for (const signal of SIGNALS) process.removeListener(signal, stop);
    source.stream.destroy();
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

function importSource(
  context: CommandContext,
  flags: ImportFlags & { readonly format: FileFormat },
  { source, signal }: { readonly source: ImportSource; readonly signal: AbortSignal },
): Promise<Summary> {
  const { account, type: objectType, file, key, map, router, dryRun = false, clearEmpty = false } = flags;
  const work = async (...[services]: Parameters<Parameters<typeof withServices>[1]>): Promise<Summary> => {
    const client = importClient(await findAccount(services, account));
    const importer = services.get(RecordImporter, { strict: false });
    const request = { objectType, key, map: map ?? new Map<string, string>(), router, dryRun };
    const { columns, target } = await importer.prepare(client, request);
    const rows =
      flags.format === 'csv'
        ? await readCsv(source.stream, { columns, clearEmpty })
        : readNdjson(source.stream, columns);
    const rejects = await ImportRejects.begin(context, rows, { rejects: flags.rejects, file });
    const counts = noCounts();
    const bar = progressOf(context, source);
    const run: ImportRun = {
      rows: rows.rows,
      counts,
      signal,
      onChunk: async (rejections) => {
        await rejects.add(rejections);
        bar.update();
      },
    };
    try {
      const finished = await importer.run(client, target, run).catch((error: unknown) => {
        if (signal.aborted) return false;
        throw new Error(
          `${messageOf(error)}\nUntil then: ${counted(counts)}. The same import goes on from there.`,
          {
            cause: error,
          },
        );
      });
      const { shown: errors, omitted: errors_omitted } = rejects;
      const about = { account, object_type: objectType, file, dry_run: dryRun, finished };
      return { ...about, ...counts, errors, errors_omitted };
    } finally {
      bar.stop();
      await rejects.close();
    }
  };
  return withServices(context, work, { poolSize: POOL_SIZE });
}

/** A bar of the bytes that are read, on a terminal. */
function progressOf(
  { stderr }: CommandContext,
  { stream, size }: ImportSource,
): {
  readonly update: () => void;
  readonly stop: () => void;
} {
  if (size === undefined) return { update: () => undefined, stop: () => undefined };
  const bar = new SingleBar(
    { stream: stderr, hideCursor: true, format: ' {bar} {percentage}% | ETA: {eta_formatted}' },
    Presets.shades_classic,
  );
  bar.start(size, 0);
  const read = (): number => (stream as { readonly bytesRead?: number }).bytesRead ?? 0;
  return { update: () => bar.update(read()), stop: () => bar.stop() };
}

function exitCodeOf({ dry_run, finished, rejected, created, updated, dispatched }: Summary): number {
  if (rejected > 0 || !finished) return DONE_IN_PART;
  return dry_run && created + updated + dispatched > 0 ? FOUND_CHANGES : 0;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function counted({ rows, created, updated, unchanged, rejected, dispatched }: ImportCounts): string {
  const parts = [
    `${rows} rows`,
    `${created} created`,
    `${updated} updated`,
    `${unchanged} unchanged`,
    `${rejected} rejected`,
    ...(dispatched > 0 ? [`${dispatched} dispatched`] : []),
  ];
  return parts.join(', ');
}

function describe(summary: Summary, { rejects, router }: ImportFlags): string[] {
  const { dry_run: isDry, finished, assigned } = summary;
  return [
    `${isDry ? 'Dry run: ' : ''}${counted(summary)}`,
    ...(router !== undefined && !isDry ? [`${router} has given ${assigned} of them to somebody`] : []),
    ...(rejects !== undefined && summary.rejected > 0 ? [`The rejected rows are in ${rejects}`] : []),
    ...(finished ? [] : ['The file was not read to its end. The same import goes on from there.']),
  ];
}

function shownErrors({ errors, errors_omitted: omitted }: Summary): string[] {
  const lines = errors.map(({ line, message }) => `Line ${line}: ${message}`);
  return omitted > 0 ? [...lines, `and ${omitted} more`] : lines;
}
