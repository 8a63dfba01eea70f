import type { ObjectType } from '../object-type.js';

/** A record as the value of a reference names it: by its id, or by a unique key of its type. */
export interface NamedTarget {
  readonly objectType: ObjectType;
  /** `id`, or the unique key, such as `website_url`. */
  readonly property: string;
  /** As it was sent. */
  readonly value: unknown;
}
