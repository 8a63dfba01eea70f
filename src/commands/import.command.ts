import { Command, Option } from 'commander';
import { OBJECT_TYPES, type ObjectType } from '../fields/object-type.js';
import type { ImportRun, MappedColumn } from '../transfer/index.js';
import type { CommandContext } from './command-context.js';
import { fileOptions, requireFormat, type FileFlags } from './import-options.js';
import { ImportRejects } from './import-rejects.js';
import { counted, describe, exitCodeOf, shownErrors, shownMapping, type Summary } from './import-summary.js';
import { formatOf, openSource, type FileFormat, type ImportSource } from './files.js';
import { findImporter, withServices, type Services } from './with-services.js';

interface ImportFlags extends FileFlags {
  /** Slug of the account. */
  readonly account: string;
  readonly type: ObjectType;
  /** Path of the file; `-` is standard input. */
  readonly file: string;
  readonly key: string;
  readonly format?: FileFormat;
  readonly clearEmpty?: boolean;
  /** Name of a router. */
  readonly router?: string;
  /** Path of the file for rows that are refused. */
  readonly rejects?: string;
  readonly dryRun?: boolean;
}

/** Connections of an import: one writes a chunk, and others are for dispatches and what hooks read. */
const POOL_SIZE = 9;

/** `import`: creates and updates records from a file, each found by a key. */
export function importCommand(context: CommandContext): Command {
  const command = new Command('import')
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
    );
  for (const option of fileOptions()) command.addOption(option);
  return command
    .option('--clear-empty', 'an empty cell of a CSV file clears the field, which stays as it is otherwise')
    .option('--router <name>', 'a router to run on each record, once')
    .option('--rejects <file>', 'where to write the rows that are refused, with the reasons')
    .option('--dry-run', 'keep nothing of what it writes; print what columns become, and what would be done')
    .action((flags: ImportFlags) => importRecords(context, flags));
}

/** Imports a file. An interrupt ends it after the rows that are being written. */
async function importRecords(context: CommandContext, flags: ImportFlags): Promise<void> {
  // What is wrong with the environment is told before what is wrong with the file.
  await context.settings();
  const format = flags.format ?? formatOf(flags.file);
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
  const { account, type: objectType, file, dryRun = false, clearEmpty = false } = flags;
  requireFormat(flags);
  const { encoding, skipLines } = flags;
  const work = async (services: Services): Promise<Summary> => {
    const { inUtf8, noCounts, readCsv, readNdjson, RecordImporter } = await import('../transfer/index.js');
    const client = await findImporter(services, account);
    const importer = services.get(RecordImporter, { strict: false });
    const prepared = await importer.prepare(client, { ...flags, objectType, dryRun });
    const { columns } = prepared;
    const rows =
      flags.format === 'csv'
        ? await readCsv(source.stream, { columns, clearEmpty, encoding, skipLines })
        : readNdjson((await inUtf8(source.stream)).chunks, columns);
    const rejects = await ImportRejects.begin(context, rows, { rejects: flags.rejects, file });
    const counts = noCounts();
    const skipped = new Map<string, number>();
    let mapping: readonly MappedColumn[] | undefined;
    const onMapping = async (found: readonly MappedColumn[]): Promise<void> => {
      mapping = found;
      if (!context.output.json) await context.output.write(shownMapping(found));
    };
    const bar = await progressOf(context, source);
    const run: ImportRun = {
      rows: rows.rows,
      onMapping: dryRun ? onMapping : undefined,
      counts,
      skipped,
      signal,
      onChunk: async (rejections) => {
        await rejects.add(rejections);
        bar.update();
      },
    };
    try {
      const finished = await importer.run(client, prepared, run).catch((error: unknown) => {
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
      const skipped_values = Object.fromEntries(skipped);
      const found = { skipped_values, ignored: columns.ignored, ...(mapping !== undefined && { mapping }) };
      return { ...about, ...counts, ...found, errors, errors_omitted };
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

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
