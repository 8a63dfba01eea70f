export { MOST_FOUND, type AccountCheck, type CheckResult } from './account-check.js';
export { SLUG, type AccountContext, type KnownPart } from './account-context.js';
export { AccountShares } from './account-shares.js';
export type { AccountEntity } from './account.entity.js';
export { accountShares, AccountsModule } from './accounts.module.js';
export {
  ACCOUNTS_TABLE,
  ACTIVE_ACCOUNTS,
  accountVersion,
  AccountsRepository,
  configurationIsCurrent,
  ALL_ACCOUNTS,
  atAccount,
  homeId,
  homeRow,
  LOCK_ACCOUNT,
  lockedSlugOf,
  requireConfiguration,
  type AccountKeys,
} from './accounts.repository.js';
export { deleteOldRows, type OldestRows } from './old-rows.js';
