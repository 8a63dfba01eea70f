import { Injectable } from '@nestjs/common';
import { ALL_ACCOUNTS } from '../accounts/index.js';
import type { Database, Statement } from '../database/index.js';
import { recordsOfAccounts } from '../records/index.js';

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

/** Measures nodes and accounts. It reads what all accounts have: no request waits for it. */
@Injectable()
export class SizesRepository {
  nodes(db: Database): Promise<NodeSize[]> {
    return db.query<NodeSize>(db.isDistributed ? CLUSTER : PLAIN, []);
  }

  largest(db: Database): Promise<AccountSize[]> {
    return db.query<AccountSize>(LARGEST, []);
  }
}
