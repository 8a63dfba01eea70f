import { CommanderError } from 'commander';
import { Console } from 'node:console';
import type { Writable } from 'node:stream';
import { ConfigurationFileError, PartlyAppliedError } from '../management/file/configuration-file.error.js';
import { errorDocument } from './error-document.js';
import { DONE_IN_PART } from './command-context.js';

/** What a command prints: with `--json` one document on standard output, whether it succeeds or fails. */
export class CommandOutput {
  /** `--json` was given. */
  json = false;
  /** Of a command that does not fail. */
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
   * @throws another error of the stream
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
