import { writeAccessRules } from './access-rules.js';
import { backupRights } from './backup-rights.js';
import type { ClusterFiles } from './data-layout.js';
import type { NativeBinaries } from './native-binaries.js';
import type { ServiceAccount } from './service-account.js';
import { runAsSuperuser } from './single-user.js';
import { EARLIER_OBJECTS } from './upgrade.sql.js';

/** The role of the service, and its database, which it owns. It may take backups, and nothing else. */
export const SERVICE_ROLE = 'fairlead';

/** The superuser that initdb makes. It has no password, so it cannot log in to a server. */
export const SUPERUSER = 'fairlead_superuser';

/** The programs and the user that set up roles, and the password of the service's role. */
export interface RoleOptions {
  readonly binaries: NativeBinaries;
  /** Owner of the cluster. Undefined for the user of this process. */
  readonly account: ServiceAccount | undefined;
  readonly password: string;
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** Changes the roles of a cluster of an earlier version, all or nothing. */
const UPGRADE = `DO $upgrade$
    DECLARE
      owned record;
    BEGIN
      IF NOT EXISTS (SELECT FROM pg_authid WHERE oid = 10 AND rolname = '${SERVICE_ROLE}') THEN
        RETURN;
      END IF;
      CREATE ROLE ${SUPERUSER}_for_renaming SUPERUSER;
      SET SESSION AUTHORIZATION ${SUPERUSER}_for_renaming;
      ALTER ROLE ${SERVICE_ROLE} RENAME TO ${SUPERUSER};
      SET SESSION AUTHORIZATION ${SUPERUSER};
      DROP ROLE ${SUPERUSER}_for_renaming;
      ALTER ROLE ${SUPERUSER} PASSWORD NULL;
      CREATE ROLE ${SERVICE_ROLE} LOGIN;
      ALTER DATABASE ${SERVICE_ROLE} OWNER TO ${SERVICE_ROLE};
      FOR owned IN ${EARLIER_OBJECTS} LOOP
        EXECUTE format('ALTER %s %s OWNER TO ${SERVICE_ROLE}', owned.type, owned.identity);
      END LOOP;
    END
  $upgrade$`;

/**
 * Makes the role and the database of the service in a new cluster, which is not flushed to the disk.
 *
 * @throws {EmbeddedPostgresError} with PostgreSQL's last lines when it fails
 */
export async function createRoles(
  files: ClusterFiles,
  { binaries, account, password }: RoleOptions,
): Promise<void> {
  await runAsSuperuser(
    files.cluster,
    [
      `CREATE ROLE ${SERVICE_ROLE} LOGIN PASSWORD ${quoted(password)}`,
      `CREATE DATABASE ${SERVICE_ROLE} OWNER ${SERVICE_ROLE}`,
    ],
    { binaries, account, database: 'postgres', options: ['-F'] },
  );
  await runAsSuperuser(files.cluster, backupRights(SERVICE_ROLE), {
    binaries,
    account,
    database: SERVICE_ROLE,
    options: ['-F'],
  });
  await writeAccessRules(files, account);
}

/**
 * Upgrades the cluster of an earlier version, in which the service was the superuser: PostgreSQL never takes
 * that right from the role that initdb made. That role gets another name and loses its password, and a new
 * role gets its old name and all that it owned. When that is done already, only the password, the right to
 * take backups and the access rules are written again.
 *
 * @throws {EmbeddedPostgresError} with PostgreSQL's last lines when it fails
 */
export async function upgradeRoles(
  files: ClusterFiles,
  { binaries, account, password }: RoleOptions,
): Promise<void> {
  const run = { binaries, account, database: SERVICE_ROLE };
  // A start that was killed early has left no database. Where there is one, this fails.
  await runAsSuperuser(files.cluster, [`CREATE DATABASE ${SERVICE_ROLE}`], {
    ...run,
    database: 'postgres',
  }).catch(() => undefined);
  // Errors inside of a DO block show its statements, so the password is not among them.
  const login = `ALTER ROLE ${SERVICE_ROLE} PASSWORD ${quoted(password)}`;
  await runAsSuperuser(files.cluster, [UPGRADE, login, ...backupRights(SERVICE_ROLE)], run);
  await writeAccessRules(files, account);
}
