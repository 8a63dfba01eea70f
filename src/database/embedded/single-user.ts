import { EmbeddedPostgresError } from './embedded-postgres.error.js';
import type { NativeBinaries } from './native-binaries.js';
import { reachablePath } from './path-access.js';
import { runProgram } from './run-program.js';
import type { ServiceAccount } from './service-account.js';

/** How PostgreSQL runs for one moment as its own superuser. */
export interface SingleUserOptions {
  readonly binaries: NativeBinaries;
  /** Owner of the cluster. Undefined for the user of this process. */
  readonly account: ServiceAccount | undefined;
  readonly database: string;
  /** Further options of `postgres`. */
  readonly options?: readonly string[];
}

/**
 * Runs statements as the superuser of a cluster without a server, so no password is needed. Stops at the
 * first that fails. Each statement is a transaction of its own. The cluster must not be in use.
 *
 * @throws {EmbeddedPostgresError} with PostgreSQL's last lines when one fails
 */
export async function runAsSuperuser(
  cluster: string,
  statements: readonly string[],
  { binaries, account, database, options = [] }: SingleUserOptions,
): Promise<void> {
  const directory = await reachablePath(cluster, account);
  const { code, output } = await runProgram(
    binaries.postgres,
    [
      ...['--single', '-D', directory, '-c', 'exit_on_error=on', '-c', 'search_path=pg_catalog'],
      ...['-c', 'password_encryption=scram-sha-256'],
      // A failed statement may contain a password.
      ...['-c', 'log_min_error_statement=panic', '-c', 'log_checkpoints=off', ...options, database],
    ],
    // Every line is one statement.
    {
      cwd: cluster,
      account,
      input: statements.map((text) => `${text.replace(/\s*\n\s*/g, ' ')}\n`).join(''),
    },
  );
  if (code === 0) return;
  throw new EmbeddedPostgresError(
    `PostgreSQL could not prepare the database in ${cluster}; it ended with ` +
      `${code === null ? 'no exit code' : `code ${code}`}:\n${output.trim().split('\n').slice(-15).join('\n')}`,
  );
}
