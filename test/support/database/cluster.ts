import { onClusterAlone } from '../../../src/database/cluster-form.js';
import type { Statement } from '../../../src/database/index.js';

/** Whether databases of tests are those of a Citus cluster. */
export const isOnCluster = process.env['CITUS_URLS'] !== undefined;

/**
 * What runs on all nodes, as PostgreSQL says it of one: `pid` is the session of the service, `query` what
 * that has sent.
 */
export const ACTIVITY = isOnCluster
  ? `(WITH part AS MATERIALIZED (SELECT * FROM citus_stat_activity)
       SELECT whole.pid, whole.query, part.datname, part.wait_event_type
       FROM part JOIN part AS whole USING (global_pid) WHERE NOT whole.is_worker_query) AS activity`
  : 'pg_stat_activity';

/** What a service that is ready says, as its connections go. */
export const READY =
  process.env['CITUS_NODE'] === 'all'
    ? { status: 'ok', nodes: { away: 0, total: process.env['CITUS_URLS']?.trim().split(/\s+/).length } }
    : { status: 'ok' };

/** The statements that make a table which each node of a cluster has. */
export const tableOnEachNode = (name: string, columns: string): string[] => [
  `CREATE TABLE ${name} (${columns})`,
  ...(isOnCluster ? [`SELECT create_reference_table('${name}')`] : []),
];

/** The text of a statement as the service sends it. */
export const textOf = ({ text }: Statement): string => (isOnCluster ? onClusterAlone(text) : text);
