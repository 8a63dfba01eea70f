import { spawn } from 'node:child_process';
import { chownSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { prepareDataDirectory } from '../../src/database/embedded/data-directory.js';
import { freePort } from '../../src/database/embedded/free-port.js';
import { nativeBinaries } from '../../src/database/embedded/native-binaries.js';
import { loadPassword } from '../../src/database/embedded/password-file.js';
import { reachablePath } from '../../src/database/embedded/path-access.js';
import { readPostmasterPid } from '../../src/database/embedded/postmaster-pid.js';
import { PROGRAM_ENV, identity, runProgram } from '../../src/database/embedded/run-program.js';
import { serviceAccount } from '../../src/database/embedded/service-account.js';
import { query } from './embedded-support.js';
import { waitFor } from '../support/wait-for.js';

/**
 * Makes a cluster as it was made before ADR 11, whose superuser is the role of the service, and starts its
 * server on a port.
 * @returns the address of its database, which is made unless `withDatabase` is false
 */
export async function startEarlierServer(dataDir: string, withDatabase = true): Promise<string> {
  const layout = await prepareDataDirectory(dataDir);
  const account = await serviceAccount(undefined);
  const binaries = await nativeBinaries(account);
  const password = await loadPassword(layout, false);
  mkdirSync(layout.cluster, { mode: 0o700 });
  const passwordCopy = join(layout.root, 'initdb-password');
  writeFileSync(passwordCopy, `${password}\n`, { mode: 0o600 });
  if (account) for (const path of [layout.cluster, passwordCopy]) chownSync(path, account.uid, account.gid);
  const directory = await reachablePath(layout.cluster, account);
  const { output, code } = await runProgram(
    binaries.initdb,
    [
      ...['--pgdata', directory, '--username', 'fairlead', '--auth', 'scram-sha-256'],
      ...['--pwfile', join('..', 'initdb-password'), '--encoding', 'UTF8', '--locale', 'C', '--no-sync'],
      ...['--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8', '--no-instructions'],
    ],
    { cwd: layout.cluster, account },
  );
  if (code !== 0) throw new Error(output);
  const url = await serveEarlier(dataDir);
  if (withDatabase) await query(url.replace(/fairlead$/, 'postgres'), 'CREATE DATABASE fairlead');
  return url;
}

/** Starts the server of an existing cluster as before ADR 11. @returns the address of its database */
export async function serveEarlier(dataDir: string): Promise<string> {
  const layout = await prepareDataDirectory(dataDir);
  const account = await serviceAccount(statSync(layout.cluster));
  const binaries = await nativeBinaries(account);
  const directory = await reachablePath(layout.cluster, account);
  const port = await freePort();
  const options = ['listen_addresses=127.0.0.1', `port=${port}`, 'unix_socket_directories=', 'fsync=off'];
  spawn(binaries.postgres, ['-D', directory, ...options.flatMap((option) => ['-c', option])], {
    cwd: layout.cluster,
    ...identity(account),
    env: PROGRAM_ENV,
    detached: true,
    stdio: 'ignore',
  }).unref();
  await waitFor('the server of an earlier version', async () => {
    const status = (await readPostmasterPid(layout.pidFile).catch(() => undefined))?.content?.status;
    return status === 'ready';
  });
  return `postgres://fairlead:${await loadPassword(layout, true)}@127.0.0.1:${port}/fairlead`;
}
