import { CommanderError } from 'commander';
import { Console } from 'node:console';
import type { Writable } from 'node:stream';
import { DomainError, type FieldError } from '../errors/domain-error.js';
import { ConfigurationFileError, PartlyAppliedError } from '../management/file/configuration-file.error.js';
import { InvalidEnvironmentError } from '../settings/invalid-environment.error.js';

/** Exit code of a `--dry-run` that has found changes to make (contract section 5). */
export const FOUND_CHANGES = 2;

/** Exit code of a command that has done a part of its work (contract section 5). */
export const DONE_IN_PART = 3;

/** What a command prints: with `--json` one document on standard output, whether it succeeds or fails. */
export class CommandOutput {
  /** `--json` was given. */
  json = false;
  /** With which the process ends where the command does not fail. */
  exitCode = 0;
  private isPrinted = false;
  private readonly console: Console;

  constructor(
    readonly stdout: Writable,
    readonly stderr: Writable,
  ) {
    this.console = new Console({ stdout, stderr });
  }

  /** Prints the result of the command, as a document or as lines. */
  print(document: unknown, lines: readonly string[]): void {
    this.isPrinted = true;
    this.console.log(this.json ? JSON.stringify(document, null, 2) : lines.join('\n'));
  }

  /**
   * Prints a part of a result as it is, and waits until it is handed on.
   * @returns false where nobody reads standard output any more
   */
  async write(text: string): Promise<boolean> {
    this.isPrinted = true;
    const error = await written(this.stdout, text);
    if (error !== null && (error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
    return error === null;
  }

  /** Prints a line on standard error. */
  note(line: string): void {
    this.console.error(line);
  }

  /**
   * Prints why the command failed, on standard error, and the document of the error where nothing was
   * printed.
   * @returns the exit code
   */
  fail(error: unknown): number {
    const exitCode = exitCodeOf(error);
    // Commander has already printed its message, or the help that was requested.
    if (!(error instanceof CommanderError)) this.console.error(shown(error));
    if (this.json && !this.isPrinted && exitCode !== 0) this.print(errorDocument(error), []);
    return exitCode;
  }

  /** Waits until everything that was printed is handed on, which a pipe may take a while for. */
  async drain(): Promise<void> {
    await Promise.all([this.stdout, this.stderr].map(drained));
  }
}

/** Resolves also where nobody reads the stream any more. */
function drained(stream: NodeJS.WritableStream): Promise<void> {
  return new Promise((resolve) => {
    stream.on('error', () => resolve());
    stream.write('', () => resolve());
  });
}

function written(stream: NodeJS.WritableStream, text: string): Promise<Error | null> {
  return new Promise((resolve) => {
    stream.once('error', resolve);
    stream.write(text, (error) => {
      // The listener stays where the stream has failed: its event comes after this.
      if (!error) stream.removeListener('error', resolve);
      resolve(error ?? null);
    });
  });
}

function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode;
  return error instanceof PartlyAppliedError ? DONE_IN_PART : 1;
}

function shown(error: unknown): unknown {
  if (error instanceof ConfigurationFileError) return error.located;
  return error instanceof Error ? error.message : error;
}

/**
 * Returns what a command prints with `--json` when it fails (contract section 5). Of each part of its input
 * that failed, `path` is a key of a file or an environment variable, `line` and `column` are numbers from 1:
 * null, and without a column, where they are not known. `errors` has at least one entry.
 */
export function errorDocument(error: unknown) {
  const message = messageOf(error);
  const parts = partsOf(error).map(({ field: path = null, line = null, column, message: problem }) => ({
    path,
    line,
    ...(column !== undefined && { column }),
    message: problem,
  }));
  return { error: { message, errors: parts.length > 0 ? parts : [{ path: null, line: null, message }] } };
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (!(error instanceof CommanderError)) return error.message || error.name;
  if (error.code === 'commander.help') return 'A command is missing: --help lists them';
  return error.message.replace(/^error: /, '');
}

function partsOf(error: unknown): readonly FieldError[] {
  if (error instanceof DomainError) return error.details.errors ?? [];
  if (error instanceof ConfigurationFileError || error instanceof InvalidEnvironmentError)
    return error.errors;
  return [];
}

/** Returns rows as aligned columns under their headings. */
export function table(
  headings: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string[] {
  const lines = [headings, ...rows].map((row) => row.map(String));
  const widths = headings.map((_, column) => Math.max(...lines.map((row) => row[column]?.length ?? 0)));
  return lines.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
