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

/** The text of a statement as the service sends it. */
export const textOf = ({ text }: Statement): string => (isOnCluster ? onClusterAlone(text) : text);
