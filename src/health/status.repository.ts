import { Injectable } from '@nestjs/common';
import type { Queryable, Statement, Database } from '../database/index.js';
import { ALL_ACCOUNTS } from '../accounts/index.js';
import { recordsOfAccounts } from '../records/index.js';

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

/** How many accounts are named. */
const MOST = 10;

/** The accounts and bytes of plain PostgreSQL, which is one node. */
const PLAIN: Statement = {
  name: 'sizes_plain',
  text: `SELECT COALESCE(host(inet_server_addr()) || ':' || inet_server_port(), 'local') AS name,
      (SELECT count(*) FROM (${ALL_ACCOUNTS}) AS account)::int AS accounts,
      pg_database_size(current_database())::float8 AS bytes`,
};

/** Those of the nodes of a cluster. One that has no account is left out. */
const CLUSTER: Statement = {
  name: 'sizes_cluster',
  text: `WITH account AS MATERIALIZED (
      SELECT get_shard_id_for_distribution_column('accounts', account.id) AS shardid FROM (${ALL_ACCOUNTS}) AS account)
    SELECT node.name, node.bytes::float8, (SELECT count(*) FROM account JOIN citus_shards of USING (shardid)
        WHERE of.nodename || ':' || of.nodeport = node.name)::int AS accounts
    FROM (SELECT nodename || ':' || nodeport AS name, sum(shard_size) AS bytes FROM citus_shards GROUP BY 1) AS node
    ORDER BY 1`,
};

/** The accounts with the most records, at their counts of a moment ago. */
const LARGEST: Statement = {
  name: 'sizes_largest',
  text: `SELECT of.account_id AS account, of.n::float8 AS records FROM (${recordsOfAccounts}) AS of
    WHERE of.n > 0 ORDER BY of.n DESC, of.account_id LIMIT ${MOST}`,
};

/** What is at a node. */
export interface NodeSize {
  /** `host:port`, of a cluster as it calls the node. */
  readonly name: string;
  readonly accounts: number;
  readonly bytes: number;
}

/** How many records an account has. */
export interface AccountSize {
  /** Its id. */
  readonly account: string;
  readonly records: number;
}

/** The processes that serve. Nodes and accounts, for which all is read: no request waits for it. */
@Injectable()
export class StatusRepository {
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

  nodes(db: Database): Promise<NodeSize[]> {
    return db.query<NodeSize>(db.isDistributed ? CLUSTER : PLAIN, []);
  }

  largest(db: Database): Promise<AccountSize[]> {
    return db.query<AccountSize>(LARGEST, []);
  }
}
