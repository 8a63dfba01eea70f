import { Client } from 'pg';
import { KEEP_WAL } from '../embedded/backup-rights.js';
import { errorCode } from '../error-code.js';
import { ScramClient } from '../pg-internals.js';
import type { WalRange } from './wal-position.js';

/** What identifies a server and its WAL. */
export interface ServerFacts extends Pick<WalRange, 'timeline' | 'segmentBytes'> {
  /** Version of PostgreSQL (`18.4`). */
  readonly postgres: string;
  /** What initdb gave to the cluster. */
  readonly systemIdentifier: string;
}

/** The end of a backup. */
export interface BackupEnd {
  readonly stop: string;
  /** Contents of the file `backup_label`, by which recovery knows where to start. */
  readonly label: string;
}

const FACTS = `SELECT current_setting('server_version') AS postgres,
    (SELECT system_identifier::text FROM pg_control_system()) AS "systemIdentifier",
    (SELECT timeline_id FROM pg_control_checkpoint()) AS timeline,
    (SELECT setting::integer FROM pg_settings WHERE name = 'wal_segment_size') AS "segmentBytes"`;

/** Codes of refusals: no such schema, no such function, no right to call it. */
const WITHOUT_RIGHTS = new Set(['3F000', '42883', '42501']);

/** The session in which the embedded server is in backup mode. The mode ends with the session. */
export class BackupSession {
  private constructor(private readonly client: Client) {}

  /** Connects to the embedded server. @throws an error of the connection */
  static async open(url: string): Promise<BackupSession> {
    const client = new ScramClient({ connectionString: url, application_name: 'fairlead' });
    // Without a listener, a broken connection would end the process. The next statement fails.
    client.on('error', () => undefined);
    await client.connect();
    return new BackupSession(client);
  }

  /** Ends the session. The server may then remove the WAL that it kept. */
  async close(): Promise<void> {
    await this.client.end().catch(() => undefined);
  }

  async facts(): Promise<ServerFacts> {
    return this.row<ServerFacts>(FACTS);
  }

  /**
   * Keeps all WAL from now on, and starts the backup with a checkpoint.
   * @returns the position where recovery will start
   * @throws Error with advice when an earlier version of this service started the server
   */
  async start(label: string): Promise<string> {
    try {
      await this.row(`SELECT ${KEEP_WAL}() AS kept`);
      const { start } = await this.row<{ start: string }>(
        'SELECT pg_backup_start($1, true)::text AS start',
        label,
      );
      return start;
    } catch (error) {
      if (!WITHOUT_RIGHTS.has(errorCode(error) ?? '')) throw error;
      throw new Error(
        'The embedded database was started by an earlier version of Fairlead, which cannot be backed up ' +
          'while it runs: restart the service',
        { cause: error },
      );
    }
  }

  /** Ends the backup. All WAL up to its end is on the disk then. */
  async stop(): Promise<BackupEnd> {
    return this.row<BackupEnd>('SELECT lsn::text AS stop, labelfile AS label FROM pg_backup_stop(false)');
  }

  private async row<Row>(text: string, ...values: readonly string[]): Promise<Row> {
    const { rows } = await this.client.query<Record<string, unknown>>(text, [...values]);
    return rows[0] as Row;
  }
}
