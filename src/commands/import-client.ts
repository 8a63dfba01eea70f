import type { AccountContext } from '../accounts/index.js';
import type { ClientContext } from '../auth/index.js';

/** The client on whose behalf `import` and `records export` read and write: no API client has such an id. */
export const IMPORT_CLIENT = 'import';

/** Returns the context of an import or an export of records. */
export function importClient(account: AccountContext): ClientContext {
  return {
    ...account,
    clientId: IMPORT_CLIENT,
    scopes: new Set(['records:read', 'records:write', 'dispatch']),
  };
}
