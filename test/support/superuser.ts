import { statSync } from 'node:fs';
import { join } from 'node:path';
import { nativeBinaries } from '../../src/database/embedded/native-binaries.js';
import { serviceAccount } from '../../src/database/embedded/service-account.js';
import { runAsSuperuser } from '../../src/database/embedded/single-user.js';

/** Runs statements as the superuser of an embedded database whose server does not run. */
export async function asSuperuser(dataDir: string, ...statements: readonly string[]): Promise<void> {
  const cluster = join(dataDir, 'postgres');
  const account = await serviceAccount(statSync(cluster));
  const binaries = await nativeBinaries(account);
  await runAsSuperuser(cluster, statements, { binaries, account, database: 'fairlead' });
}
