import type { AccountContext } from '../accounts/index.js';
import type { ClientContext } from '../auth/index.js';
import { IMPORT_CLIENT } from '../records/index.js';

/** Returns the context of an import or an export of records. */
export function importClient(account: AccountContext): ClientContext {
  return {
    ...account,
    clientId: IMPORT_CLIENT,
    scopes: new Set(['records:read', 'records:write', 'dispatch']),
  };
}
