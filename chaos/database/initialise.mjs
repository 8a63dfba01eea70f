// Makes the files of a PostgreSQL cluster.
import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { built } from '../service/paths.mjs';

const { runProgram } = built('database/embedded/account.js');

/** @param cluster { folder, directory, account, binaries, password } @throws Error with the output of initdb */
export async function initialise({ folder, directory, account, binaries, password }, superuser) {
  mkdirSync(directory, { mode: 0o700 });
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (account)
    for (const path of [folder, directory, passwordFile]) chownSync(path, account.uid, account.gid);
  chmodSync(folder, 0o700);
  const { code, output } = await runProgram(
    binaries.initdb,
    [
      ...['--pgdata', directory, '--username', superuser, '--pwfile', passwordFile],
      ...['--auth', 'scram-sha-256', '--encoding', 'UTF8', '--locale', 'C', '--no-sync'],
    ],
    { cwd: directory, account },
  );
  if (code !== 0) throw new Error(`initdb: exit code ${code}\n${output}`);
}
