import { writeAccessRules } from './access-rules.js';
import type { ClusterFiles } from './data-layout.js';
import type { NativeBinaries } from './native-binaries.js';
import type { ServiceAccount } from './service-account.js';
import { runAsSuperuser } from './single-user.js';

/** The role of the service, and its database, which it owns. It has no other right. */
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
  await writeAccessRules(files, account);
}
