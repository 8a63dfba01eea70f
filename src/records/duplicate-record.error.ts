import { DomainError } from '../errors/domain-error.js';
import { OBJECT_TYPE_RULES, type ObjectType } from '../fields/index.js';

/** A unique key that an active record of the account and type has already. */
export interface Collision {
  /** The key, such as `email`. */
  readonly field: string;
  /** Id of the record; undefined where it could not be found any more. */
  readonly existingId?: string | undefined;
}

/** 409 (clause 2.8): active records of the account and type already have one or more of the keys. */
export class DuplicateRecordError extends DomainError {
  /** @param collisions at least one, in the order of the specification; the answer is about the first */
  constructor(
    private readonly objectType: ObjectType,
    private readonly collisions: readonly Collision[],
  ) {
    const { singular } = OBJECT_TYPE_RULES[objectType];
    const errors = collisions.map(({ field, existingId }) => ({
      field,
      message: `A ${singular} with this ${field} already exists`,
      ...(existingId === undefined ? {} : { existing_id: existingId }),
    }));
    const [first] = errors;
    super('duplicate', first?.message ?? `This ${singular} already exists`, {
      ...(first === undefined ? {} : { field: first.field }),
      ...(first?.existing_id === undefined ? {} : { existingId: first.existing_id }),
      errors,
    });
  }

  /** Whether a key of the type is among those that others have. */
  concerns(objectType: ObjectType, field: string): boolean {
    return objectType === this.objectType && this.collisions.some((collision) => collision.field === field);
  }
}
