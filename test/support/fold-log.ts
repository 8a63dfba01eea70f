import type { AccountContext } from '../../src/accounts/index.js';
import { LogFoldsRepository } from '../../src/assignments/fold/log-folds.repository.js';
import { Database } from '../../src/database/index.js';
import type { TestService } from './test-service.js';

/** Adds all entries of an account's log to the blocks. */
export async function foldLog(service: TestService, account: AccountContext): Promise<void> {
  const folds = service.app.get(LogFoldsRepository, { strict: false });
  const fold = (): Promise<boolean> =>
    service.app.get(Database).transaction((tx) => folds.fold(tx, account, { settled: new Date() }));
  while (await fold());
}
