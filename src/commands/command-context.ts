import type { Readable, Writable } from 'node:stream';
import type { FairleadExtension } from '../extensions/index.js';
import type { Settings } from '../settings/settings.js';
import type { CommandOutput } from './command-output.js';

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
export interface CommandContext extends Pick<CommandProcess, 'settings' | 'stdin'> {
  /** The extensions of the host. */
  readonly given: readonly FairleadExtension[];
  /** Loads the extensions of the service: those of the host, and those in the setting `EXTENSIONS`. */
  readonly extensions: () => Promise<readonly FairleadExtension[]>;
  /** Returns where a path in the arguments leads. */
  readonly located: (path: string) => string;
  readonly output: CommandOutput;
}
