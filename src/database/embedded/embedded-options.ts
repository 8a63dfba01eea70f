import type { EmbeddedPostgresError } from './embedded-postgres.error.js';

/** Location and settings of the embedded database. */
export interface EmbeddedOptions {
  /**
   * Directory for the database, its password and its log. It is created when missing. Relative to the working
   * directory.
   */
  readonly dataDir: string;
  /** Receives messages about progress, one sentence per call. */
  readonly log?: (message: string) => void;
  /**
   * Called at most once, when the server was lost and this process can never use it again: its directory was
   * removed or replaced, its password or its address changed, or it needs another major version of
   * PostgreSQL. Default: the message goes to `log`.
   */
  readonly onLost?: (error: EmbeddedPostgresError) => void;
  /** Sessions that a server started by this call allows at once. Default 100. */
  readonly maxConnections?: number;
  /**
   * Folders in which a copy of PostgreSQL's programs may be kept when they cannot be run where npm installed
   * them, best first. Default: a cache folder of this user, then the temporary directory.
   */
  readonly sharedDirs?: readonly string[] | undefined;
}
