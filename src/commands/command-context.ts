import type { FairleadExtension } from '../extensions/index.js';
import type { Settings } from '../settings/settings.js';

/** What every command is given. */
export interface CommandContext {
  /** @throws Error naming each offending environment variable */
  readonly settings: () => Settings;
  /** What the service is extended with: their field types, tables and so on. */
  readonly extensions: () => Promise<readonly FairleadExtension[]>;
  /** Prints the result as JSON where `--json` was given, else as lines. */
  readonly print: (document: unknown, lines: readonly string[]) => void;
}
