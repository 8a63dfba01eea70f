import { EmbeddedPostgresError } from '../embedded/embedded-postgres.error.js';
import { SERVICE_ROLE, type RoleOptions } from '../embedded/cluster-roles.js';
import { runAsSuperuser } from '../embedded/single-user.js';

/** Checks all tables, and compares all indexes with their tables. Raises the first damage. */
const CHECK = `DO $check$
    DECLARE
      found record;
      damage record;
    BEGIN
      FOR found IN SELECT oid::regclass AS name FROM pg_class
          WHERE relkind IN ('r', 't', 'm') AND relpersistence = 'p' LOOP
        FOR damage IN SELECT * FROM fairlead_check.verify_heapam(found.name, true) LOOP
          RAISE EXCEPTION 'table %, block %: %', found.name, damage.blkno, damage.msg;
        END LOOP;
      END LOOP;
      FOR found IN SELECT class.oid::regclass AS name, am.amname AS method
          FROM pg_class AS class JOIN pg_am AS am ON am.oid = class.relam JOIN pg_index ON indexrelid = class.oid
          WHERE class.relkind = 'i' AND class.relpersistence = 'p' AND indisvalid LOOP
        IF found.method = 'btree' THEN
          PERFORM fairlead_check.bt_index_check(found.name, true, true);
        ELSIF found.method = 'gin' THEN
          PERFORM fairlead_check.gin_index_check(found.name);
        END IF;
      END LOOP;
    END
  $check$`;

/**
 * Recovers a cluster that no server uses, and checks all tables, btree and GIN indexes of the service's
 * database with PostgreSQL's extension amcheck, which is not there afterwards.
 * @throws {EmbeddedPostgresError} with PostgreSQL's last lines when recovery fails or something is damaged
 */
export async function checkCluster(
  cluster: string,
  { binaries, account }: Pick<RoleOptions, 'account' | 'binaries'>,
): Promise<void> {
  try {
    await runAsSuperuser(
      cluster,
      [
        'BEGIN',
        'DROP EXTENSION IF EXISTS amcheck CASCADE',
        'CREATE SCHEMA fairlead_check',
        'CREATE EXTENSION amcheck SCHEMA fairlead_check',
        CHECK,
        'ROLLBACK',
      ],
      { binaries, account, database: SERVICE_ROLE },
    );
  } catch (error) {
    throw new EmbeddedPostgresError(`The restored database is not sound. ${(error as Error).message}`, {
      cause: error,
    });
  }
}
