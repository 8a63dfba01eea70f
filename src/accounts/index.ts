export type { AccountContext } from './account-context.js';
export type { AccountEntity } from './account.entity.js';
export { AccountsModule } from './accounts.module.js';
export { AccountsRepository } from './accounts.repository.js';
