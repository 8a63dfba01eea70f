import type { FairleadExtension } from '../extensions/index.js';
import type { Settings } from '../settings/settings.js';

/** The arguments of every command. */
export interface CommandContext {
  /** Reads the environment. @throws Error naming each offending variable */
  readonly settings: () => Promise<Settings>;
  /** The extensions of the host. */
  readonly given: readonly FairleadExtension[];
  /** Loads the extensions of the service: those of the host, and those in the setting `EXTENSIONS`. */
  readonly extensions: () => Promise<readonly FairleadExtension[]>;
  /** Prints the result as JSON where `--json` was given, else as lines. */
  readonly print: (document: unknown, lines: readonly string[]) => void;
  /**
   * Prints a part of a result as it is, and waits until it is handed on.
   * @returns false where nobody reads standard output any more
   */
  readonly write: (text: string) => Promise<boolean>;
  /** Whether `--json` was given. */
  readonly isJson: () => boolean;
}
