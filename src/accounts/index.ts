export type { AccountCheck, CheckResult } from './account-check.js';
export type { AccountContext } from './account-context.js';
export type { KnownPart } from './known-part.js';
export { AccountShares } from './account-shares.js';
export { accountShares } from './account-shares.provider.js';
export type { AccountEntity } from './account.entity.js';
export { ACTIVE_ACCOUNTS, accountVersion, configurationIsCurrent } from './accounts.sql.js';
export { AccountsModule } from './accounts.module.js';
export { AccountsRepository } from './accounts.repository.js';
