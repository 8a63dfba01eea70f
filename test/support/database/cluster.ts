import { onClusterAlone } from '../../../src/database/cluster-form.js';
import type { Statement } from '../../../src/database/index.js';

/** Whether databases of tests are those of a Citus cluster. */
const isOnCluster = process.env['CITUS_URLS'] !== undefined;

/** What runs on all nodes, as PostgreSQL says it of one. */
export const ACTIVITY = isOnCluster ? 'citus_stat_activity' : 'pg_stat_activity';

/** The text of a statement as the service sends it. */
export const textOf = ({ text }: Statement): string => (isOnCluster ? onClusterAlone(text) : text);
