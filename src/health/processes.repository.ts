import { Injectable } from '@nestjs/common';
import type { Queryable, Statement } from '../database/index.js';

/** $1 id, $2 release. Says that a process runs, and forgets those that have not said so for a minute. */
const BEAT: Statement = {
  name: 'process_beat',
  text: `WITH gone AS (DELETE FROM processes WHERE id <> $1 AND seen_at < statement_timestamp() - interval '1 minute')
    INSERT INTO processes (id, release, started_at, seen_at)
      VALUES ($1, $2, statement_timestamp(), statement_timestamp())
      ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at`,
};

/** $1 id. */
const LEAVE: Statement = { name: 'process_leave', text: 'DELETE FROM processes WHERE id = $1' };

/** $1 id of this process. The processes of the last minute, and what the database is. */
const READ: Statement = {
  name: 'process_read',
  text: `SELECT current_setting('server_version') AS database, ARRAY(SELECT m.name FROM migrations m ORDER BY m.id) AS applied,
      ARRAY(SELECT json_build_object('id', p.id, 'release', p.release, 'started', p.started_at, 'seen', p.seen_at, 'self', p.id = $1)
        FROM processes p WHERE p.seen_at >= statement_timestamp() - interval '1 minute' ORDER BY p.started_at, p.id) AS processes`,
};

/** What the database says of itself and of the processes. */
interface StatusRow {
  readonly database: string;
  /** The migrations that were applied, in their order. */
  readonly applied: readonly string[];
  readonly processes: readonly {
    readonly id: string;
    readonly release: string;
    readonly started: string;
    readonly seen: string;
    readonly self: boolean;
  }[];
}

/** The processes that serve. */
@Injectable()
export class ProcessesRepository {
  async beat(
    db: Queryable,
    { id, release }: { readonly id: string; readonly release: string },
  ): Promise<void> {
    await db.query(BEAT, [id, release]);
  }

  async leave(db: Queryable, id: string): Promise<void> {
    await db.query(LEAVE, [id]);
  }

  async read(db: Queryable, id: string): Promise<StatusRow> {
    const [row] = await db.query<StatusRow>(READ, [id]);
    if (row === undefined) throw new Error('The database has said nothing');
    return row;
  }
}
