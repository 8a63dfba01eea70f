import type { ObjectType } from '../../fields/index.js';
import type { ImportRouter } from './row-router.js';

/** What an import is for. */
export interface ImportTarget {
  readonly objectType: ObjectType;
  /** The field by which records are found, or `id`. */
  readonly property: string;
  readonly router: ImportRouter | undefined;
  /** Fields whose bad values are left out, in place of their rows. */
  readonly skipInvalid?: ReadonlySet<string>;
  /** Undoes what it writes, and runs no router. */
  readonly dryRun: boolean;
}
