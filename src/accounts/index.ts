export type { AccountContext } from './account-context.js';
export { AccountActivity, AccountShares, type Leave } from './account-shares.js';
export type { AccountEntity } from './account.entity.js';
export { ACTIVE_ACCOUNTS, accountVersion, configurationIsCurrent } from './accounts.sql.js';
export { AccountsModule } from './accounts.module.js';
export { AccountsRepository } from './accounts.repository.js';
