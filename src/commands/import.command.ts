import { Command, InvalidArgumentError, Option } from 'commander';
import { OBJECT_TYPES, type ObjectType } from '../fields/object-type.js';
import type { ImportCounts, ImportRun } from '../transfer/index.js';
import type { CommandContext } from './command-context.js';
import { DONE_IN_PART, FOUND_CHANGES } from './command-output.js';
import { ImportRejects } from './import-rejects.js';
import { formatOf, openSource, type FileFormat, type ImportSource } from './files.js';
import { findImporter, withServices, type Services } from './with-services.js';

interface ImportFlags {
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
  /** A label of the Encoding Standard. */
  readonly encoding?: string;
  /** Number of lines before the headings that are left out. */
  readonly skipLines?: number;
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

/** Connections of an import: one writes a chunk, and others are for dispatches and what hooks read. */
const POOL_SIZE = 9;

/** `import`: creates and updates records from a file, each found by a key. */
export function importCommand(context: CommandContext): Command {
  return new Command('import')
    .description('write records from a file; running it again changes nothing')
    .requiredOption('--account <slug>', 'the account')
    .addOption(new Option('--type <type>', 'the object type').choices(OBJECT_TYPES).makeOptionMandatory())
    .requiredOption('--file <file>', 'x.csv or x.ndjson (a record a line); - for standard input')
    .requiredOption('--key <field>', 'the unique key by which records are found, such as external_id, or id')
    .addOption(
      new Option('--format <format>', 'where the name of the file does not say it').choices([
        'csv',
        'ndjson',
      ]),
    )
    .option(
      '--map <column=field>',
      'a column that has another name than its field; "column=" ignores it; may be repeated',
      readMap,
    )
    .option('--clear-empty', 'an empty cell of a CSV file clears the field, which stays as it is otherwise')
    .option(
      '--encoding <name>',
      'of the file, such as windows-1252; UTF-8 unless its first bytes say more',
      readEncoding,
    )
    .option('--skip-lines <n>', 'lines before the headings of a CSV file that are left out', readLines)
    .option('--router <name>', 'a router to run on each record, once')
    .option('--rejects <file>', 'where to write the rows that are refused, with the reasons')
    .option('--dry-run', 'keep nothing of what it writes; print what would be done')
    .action((flags: ImportFlags) => importRecords(context, flags));
}

/** Imports a file. An interrupt ends it after the rows that are being written. */
async function importRecords(context: CommandContext, flags: ImportFlags): Promise<void> {
  // What is wrong with the environment is told before what is wrong with the file.
  await context.settings();
  const format = flags.format ?? formatOf(flags.file);
  if (format === 'ndjson' && (flags.encoding ?? flags.skipLines) !== undefined)
    throw new Error('--encoding and --skip-lines are for CSV: JSON is UTF-8, and has no headings');
  const interrupt = new AbortController();
  // Libraries that clean up at a signal end the process where no listener but theirs is left: these stay.
  const stop = (signal: NodeJS.Signals): void => {
    if (!interrupt.signal.aborted) return interrupt.abort();
    // A second signal does not wait for the rows.
    ignore();
    process.kill(process.pid, signal);
  };
  const ignore = (): void => SIGNALS.forEach((signal) => process.removeListener(signal, stop));
  const source = await openSource(context, flags.file, interrupt.signal);
  for (const signal of SIGNALS) process.on(signal, stop);
  try {
    const summary = await importSource(context, { ...flags, format }, { source, signal: interrupt.signal });
    if (flags.rejects === undefined) for (const line of shownErrors(summary)) context.output.note(line);
    context.output.print(summary, describe(summary, flags));
    context.output.exitCode = exitCodeOf(summary);
  } finally {
    ignore();
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
  const { encoding, skipLines } = flags;
  const work = async (services: Services): Promise<Summary> => {
    const { inUtf8, noCounts, readCsv, readNdjson, RecordImporter } = await import('../transfer/index.js');
    const client = await findImporter(services, account);
    const importer = services.get(RecordImporter, { strict: false });
    const request = { objectType, key, map: map ?? new Map<string, string>(), router, dryRun };
    const { columns, target } = await importer.prepare(client, request);
    const rows =
      flags.format === 'csv'
        ? await readCsv(source.stream, { columns, clearEmpty, encoding, skipLines })
        : readNdjson((await inUtf8(source.stream)).chunks, columns);
    const rejects = await ImportRejects.begin(context, rows, { rejects: flags.rejects, file });
    const counts = noCounts();
    const bar = await progressOf(context, source);
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
async function progressOf(
  { output: { stderr } }: CommandContext,
  { stream, size }: ImportSource,
): Promise<{ readonly update: () => void; readonly stop: () => void }> {
  if (size === undefined) return { update: () => undefined, stop: () => undefined };
  const { Presets, SingleBar } = await import('cli-progress');
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

function readEncoding(text: string): string {
  try {
    return new TextDecoder(text).encoding;
  } catch {
    throw new InvalidArgumentError(
      'It must be an encoding such as utf-8, windows-1252, iso-8859-15, utf-16le, utf-16be or shift_jis.',
    );
  }
}

function readLines(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError('It must be a number of lines.');
  return Number(text);
}

/** The last `=` divides: headings may have one, fields never do. */
function readMap(text: string, map = new Map<string, string>()): Map<string, string> {
  const at = text.lastIndexOf('=');
  if (at <= 0) throw new InvalidArgumentError('It must be column=field, or column= to ignore the column.');
  const column = text.slice(0, at).trim();
  if (map.has(column)) throw new InvalidArgumentError(`The column ${column} is mapped twice.`);
  return new Map(map).set(column, text.slice(at + 1).trim());
}
