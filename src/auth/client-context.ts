import type { AccountContext } from '../accounts/index.js';
import type { Scope } from './scope.js';

/** The authenticated caller of a request: its account, its API client and the scopes of its token. */
export interface ClientContext extends AccountContext {
  readonly clientId: string;
  readonly scopes: ReadonlySet<Scope>;
}
