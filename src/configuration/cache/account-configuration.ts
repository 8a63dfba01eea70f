import type { CapacityEntity } from '../../capacities/index.js';
import type { Directory } from '../../directory/index.js';
import type { FieldCatalog } from '../../fields/index.js';
import type { RouterEntity } from '../../routers/index.js';

/** The configuration of one account, as of one version. Immutable. Requests share it. */
export interface AccountConfiguration {
  /** The configuration version at which the rest was read. */
  readonly version: string;
  readonly catalog: FieldCatalog;
  readonly directory: Directory;
  readonly capacities: readonly CapacityEntity[];
  /** Routers that are not archived, by id. */
  readonly routers: ReadonlyMap<string, RouterEntity>;
}
