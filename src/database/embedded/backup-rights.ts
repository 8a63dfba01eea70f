/**
 * Function by which the session that calls it keeps all WAL from now on, until it ends. PostgreSQL lets only
 * superusers and roles with the attribute REPLICATION make a replication slot, and such a role may read the
 * whole cluster. The function lends the service this one right of the superuser, who owns it.
 */
export const KEEP_WAL = 'fairlead_backup.keep_wal';

/**
 * Statements that let `role` take a backup. A superuser runs them in the database of the service. They can be
 * repeated.
 */
export function backupRights(role: string): readonly string[] {
  return [
    'CREATE SCHEMA IF NOT EXISTS fairlead_backup',
    `CREATE OR REPLACE FUNCTION ${KEEP_WAL}() RETURNS pg_lsn LANGUAGE sql SECURITY DEFINER
       SET search_path = pg_catalog, pg_temp AS $$
         SELECT lsn FROM pg_create_physical_replication_slot('fairlead_backup_' || pg_backend_pid(), true, true)
       $$`,
    `REVOKE ALL ON FUNCTION ${KEEP_WAL}() FROM PUBLIC`,
    `GRANT USAGE ON SCHEMA fairlead_backup TO ${role}`,
    `GRANT EXECUTE ON FUNCTION ${KEEP_WAL}(), pg_backup_start(text, boolean), pg_backup_stop(boolean) TO ${role}`,
  ];
}
