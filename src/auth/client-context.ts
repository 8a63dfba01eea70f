import type { AccountContext } from '../accounts/index.js';
import type { Scope } from './scope.js';

/** The authenticated caller of a request: the account, the API client, and what its token allows. */
export interface ClientContext extends AccountContext {
  readonly clientId: string;
  readonly scopes: ReadonlySet<Scope>;
}
