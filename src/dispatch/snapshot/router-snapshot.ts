import type { AccountContext } from '../../accounts/index.js';
import type { Directory } from '../../directory/index.js';
import type { Capacity, CompiledRouter } from '../../engine/index.js';
import type { FieldCatalog, ObjectType } from '../../fields/index.js';

/** A router with all that is configured around it, as of one version of the account's configuration. Immutable. */
export interface RouterSnapshot {
  readonly account: AccountContext;
  /** The version of the account's configuration. */
  readonly version: string;
  readonly id: string;
  readonly name: string;
  readonly objectType: ObjectType;
  readonly compiled: CompiledRouter;
  /** The user field that an assignment sets; the type's own for a router without settings. */
  readonly ownerField: string;
  /** Whether contacts go to the owner of the company of their e-mail's host. */
  readonly matchesAccounts: boolean;
  /** All capacities of the account. */
  readonly capacities: readonly Capacity[];
  readonly directory: Directory;
  readonly catalog: FieldCatalog;
}
