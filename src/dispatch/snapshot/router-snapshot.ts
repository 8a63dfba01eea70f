import type { AccountContext } from '../../accounts/index.js';
import type { ReturnMinutes } from '../../assignments/index.js';
import type { Directory } from '../../directory/index.js';
import type { Capacity, CompiledRouter } from '../../engine/index.js';
import type { FieldCatalog, ObjectType } from '../../fields/index.js';
import type { CountedRecords } from '../../records/index.js';

/** A compiled router with the configuration that it depends on, as of one version. Immutable. */
export interface RouterSnapshot {
  readonly account: AccountContext;
  /** The version of the account's configuration. */
  readonly version: string;
  readonly id: string;
  readonly name: string;
  /** The number of the version that decides; null for none. */
  readonly routerVersion: number | null;
  readonly objectType: ObjectType;
  readonly compiled: CompiledRouter;
  /**
   * The user field that an assignment sets. For a router without settings, it is the owner field of the
   * object type.
   */
  readonly ownerField: string;
  /** Whether a contact goes to the owner of the company that has the host of the contact's e-mail. */
  readonly matchesAccounts: boolean;
  /** All capacities of the account. */
  readonly capacities: readonly Capacity[];
  /** What decisions of the account's routers count of the records that users own. */
  readonly counted: readonly CountedRecords[];
  /** The routers that set the same field of the same object type and return turns, with their minutes. */
  readonly returning: ReturnMinutes;
  /** Names of the long fields that no decision reads. An assignment hook may read them. */
  readonly unread: readonly string[];
  readonly directory: Directory;
  readonly catalog: FieldCatalog;
}
