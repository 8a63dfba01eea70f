import type { Readable, Writable } from 'node:stream';
import type { FairleadExtension } from '../extensions/index.js';
import type { Settings } from '../settings/settings.js';

/** Exit code of a `--dry-run` that has found changes to make (contract section 5). */
export const FOUND_CHANGES = 2;

/** Exit code of a command that has done a part of its work (contract section 5). */
export const DONE_IN_PART = 3;

/** What a command has of the process that it runs in. */
export interface CommandProcess {
  /** Reads the environment. @throws Error naming each offending variable */
  readonly settings: () => Promise<Settings>;
  /** Standard input, which is opened where a command reads it. */
  readonly stdin: () => Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** Where relative paths in arguments start. Default: the working directory of the process. */
  readonly cwd?: string;
}

/** The arguments of every command. */
export interface CommandContext extends Pick<CommandProcess, 'settings' | 'stdin' | 'stderr'> {
  /** The extensions of the host. */
  readonly given: readonly FairleadExtension[];
  /** Loads the extensions of the service: those of the host, and those in the setting `EXTENSIONS`. */
  readonly extensions: () => Promise<readonly FairleadExtension[]>;
  /** Returns where a path in the arguments leads. */
  readonly located: (path: string) => string;
  /** Prints the result as JSON where `--json` was given, else as lines. */
  readonly print: (document: unknown, lines: readonly string[]) => void;
  /**
   * Prints a part of a result as it is, and waits until it is handed on.
   * @returns false where nobody reads standard output any more
   */
  readonly write: (text: string) => Promise<boolean>;
  /** Prints a line on standard error. */
  readonly note: (line: string) => void;
  /** Says with which code the process ends where the command does not fail. Default: 0. */
  readonly endWith: (exitCode: number) => void;
  /** Whether `--json` was given. */
  readonly isJson: () => boolean;
}
