import { open, realpath } from 'node:fs/promises';
import { Command, Option } from 'commander';
import { reasonOf } from '../database/errors.js';
import { OBJECT_TYPES, type ObjectType } from '../fields/object-type.js';
import type { FileRules, MappedColumn } from '../transfer/index.js';
import type { CommandContext } from './command-context.js';
import { fileOptions, requireFormat } from './import-options.js';
import { counted, describe, exitCodeOf, shownErrors, shownMapping, type Summary } from './import-summary.js';
import { fileFailure, formatOf, openSource, type FileFormat, type ImportSource } from './files.js';
import { findImporter, withServices, type Services } from './with-services.js';

interface ImportFlags extends FileRules {
  readonly account: string;
  readonly type: ObjectType;
  readonly file: string;
  readonly key: string;
  readonly format?: FileFormat;
  readonly router?: string;
  readonly rejects?: string;
  readonly dryRun?: boolean;
}

/** Connections of an import: one writes a chunk, and others are for dispatches and what hooks read. */
const POOL_SIZE = 9;

/** Most rejected rows that are shown. */
const MOST_SHOWN = 20;

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
    requireFormat(flags, format);
    const work = importSource(context, { ...flags, format }, { ...source, signal: interrupt.signal });
    const summary = await withServices(context, work, { poolSize: POOL_SIZE });
    if (flags.rejects === undefined) for (const line of shownErrors(summary)) context.output.note(line);
    context.output.print(summary, describe(summary, flags));
    context.output.exitCode = exitCodeOf(summary);
  } finally {
    ignore();
    source.stream.destroy();
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Returns what imports a source, until the signal ends it. */
function importSource(
  context: CommandContext,
  flags: ImportFlags & { readonly format: FileFormat },
  source: ImportSource & { readonly signal: AbortSignal },
): (services: Services) => Promise<Summary> {
  const { account, type: objectType, file, dryRun = false } = flags;
  const { stream, signal } = source;
  return async (services) => {
    const { RecordImporter } = await import('../transfer/index.js');
    const client = await findImporter(services, account);
    const importer = services.get(RecordImporter, { strict: false });
    const opened = await importer.open(client, { ...flags, objectType, dryRun }, stream);
    const rejects = await beginRejects(context, opened.source.heading, flags);
    const errors: { readonly line: number; readonly message: string }[] = [];
    let mapping: readonly MappedColumn[] | undefined;
    let finished = false;
    const onMapping = async (found: readonly MappedColumn[]): Promise<void> => {
      mapping = found;
      if (!context.output.json) await context.output.write(shownMapping(found));
    };
    const bar = await progressOf(context, source);
    try {
      for await (const rejections of importer.run(client, opened, dryRun ? onMapping : undefined)) {
        for (const rejection of rejections) {
          const { row, message } = rejection;
          if (errors.length < MOST_SHOWN) errors.push({ line: row.line, message });
          await rejects?.writeFile(opened.source.rejected(rejection));
        }
        bar.update();
        if (signal.aborted) break;
      }
      finished = !signal.aborted;
    } catch (cause) {
      const until = `Until then: ${counted(opened.counts)}. The same import goes on from there.`;
      if (!signal.aborted) throw new Error(`${reasonOf(cause)}\n${until}`, { cause });
    } finally {
      bar.stop();
      await rejects?.close();
    }
    return {
      ...{ account, object_type: objectType, file, dry_run: dryRun, finished },
      ...opened.counts,
      skipped_values: Object.fromEntries(opened.skipped),
      ignored: opened.columns.ignored,
      ...(mapping !== undefined && { mapping }),
      errors,
      errors_omitted: opened.counts.rejected - errors.length,
    };
  };
}

/**
 * Begins the file for rejected rows, in place of the one that there may be.
 * @returns undefined where none is wanted
 * @throws Error when it cannot be written, or is the one that is imported
 */
async function beginRejects({ located }: CommandContext, heading: string, { rejects, file }: ImportFlags) {
  if (rejects === undefined) return undefined;
  const paths = [rejects, file].map((path) => realpath(located(path)).catch(() => null));
  const [one, other] = await Promise.all(paths);
  if (one !== null && one === other) throw new Error(`--rejects must not be the file that is imported`);
  try {
    const handle = await open(located(rejects), 'w');
    await handle.writeFile(heading);
    return handle;
  } catch (error) {
    throw fileFailure('write', rejects, error);
  }
}

/** A bar of the bytes that are read, on a terminal. */
async function progressOf({ output: { stderr } }: CommandContext, { stream, size }: ImportSource) {
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
