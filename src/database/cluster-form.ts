const PLAIN = /\/\*plain\*\/(.*?)\/\*plain\*\//gs;
const CLUSTER = /\/\*cluster (.*?) cluster\*\//gs;

/** Returns SQL as a cluster gets it. */
export const onClusterAlone = (sql: string): string => sql.replaceAll(PLAIN, '').replaceAll(CLUSTER, '$1');
const onPlainAlone = (sql: string): string => sql.replaceAll(CLUSTER, '').replaceAll(PLAIN, '$1');

/**
 * SQL that a statement has on a Citus cluster alone; a comment for plain PostgreSQL. Citus sends a statement
 * to one node where each of its parts that reads a table compares the column of the account with a parameter.
 * Plain PostgreSQL gets no such condition where it would be a reason to read the whole account (ADR 35).
 */
export const onCluster = (sql: string): string => `/*cluster ${onClusterAlone(sql)} cluster*/`;

/** SQL that a statement has on plain PostgreSQL alone: what fences its planner, and Citus refuses. */
export const butOnCluster = (sql: string): string => `/*plain*/ ${onPlainAlone(sql)} /*plain*/`;
