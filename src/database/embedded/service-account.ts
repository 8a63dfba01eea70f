import { readFile } from 'node:fs/promises';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';

/** The operating system user that PostgreSQL runs as when this process is root. */
export interface ServiceAccount {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

const PREFERRED = ['postgres', '_postgres', 'nobody'];

/** Reads the lines of a passwd file. Malformed lines and those of root are left out. */
export function parsePasswd(text: string): ServiceAccount[] {
  return text.split('\n').flatMap((line) => {
    const [name, , uid, gid] = line.split(':');
    if (!name || name.startsWith('#') || !/^\d+$/.test(uid ?? '') || !/^\d+$/.test(gid ?? '')) return [];
    const account = { name, uid: Number(uid), gid: Number(gid) };
    // spawn() takes signed 32-bit ids.
    return account.uid > 0 && account.uid < 2 ** 31 && account.gid < 2 ** 31 ? [account] : [];
  });
}

/**
 * Returns the account named `postgres`, else `_postgres` (macOS), else `nobody`; undefined when there is none
 * of them.
 */
export function preferredAccount(accounts: readonly ServiceAccount[]): ServiceAccount | undefined {
  return PREFERRED.map((name) => accounts.find((account) => account.name === name)).find(Boolean);
}

/**
 * Chooses the user that PostgreSQL runs as, because it refuses to run as root. Returns undefined unless this
 * process is root.
 *
 * @param owner owner of the existing cluster, if there is one; the server runs as this user unless it is root
 * @throws {EmbeddedPostgresError} when this process is root and the machine has no suitable user
 */
export async function serviceAccount(
  owner: { readonly uid: number; readonly gid: number } | undefined,
  passwdFile = '/etc/passwd',
): Promise<ServiceAccount | undefined> {
  if (process.geteuid?.() !== 0) return undefined;
  const accounts = parsePasswd(await readFile(passwdFile, 'utf8').catch(() => ''));
  if (owner && owner.uid !== 0) {
    return (
      accounts.find(({ uid }) => uid === owner.uid) ?? {
        name: `uid ${owner.uid}`,
        uid: owner.uid,
        gid: owner.gid,
      }
    );
  }
  const account = preferredAccount(accounts);
  if (account) return account;
  throw new EmbeddedPostgresError(
    'This process runs as root, which PostgreSQL refuses, and this machine has no user "postgres" or "nobody" ' +
      'to run it as. Start Fairlead as an ordinary user, or set DATABASE_URL to a PostgreSQL server of your own.',
  );
}
