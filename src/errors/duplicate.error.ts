import { DomainError } from './domain-error.js';

/** A unique key that an active object of the account has already. */
export interface Collision {
  /** The key, such as `email`. */
  readonly field: string;
  /** Id of the object; undefined where it could not be found any more. */
  readonly existingId?: string | undefined;
}

/** 409 (clause 2.8): active objects of the account already have one or more of the keys. */
export class DuplicateError extends DomainError {
  /**
   * @param kind of the objects, such as `contact`
   * @param collisions at least one, in the order of the specification; the answer is about the first
   */
  constructor(
    private readonly kind: string,
    private readonly collisions: readonly Collision[],
  ) {
    const errors = collisions.map(({ field, existingId }) => ({
      field,
      message: `A ${kind} with this ${field} already exists`,
      ...(existingId === undefined ? {} : { existing_id: existingId }),
    }));
    const [first] = errors;
    super('duplicate', first?.message ?? `This ${kind} already exists`, {
      ...(first === undefined ? {} : { field: first.field }),
      ...(first?.existing_id === undefined ? {} : { existingId: first.existing_id }),
      errors,
    });
  }

  /** Whether a key of the kind is among those that others have. */
  concerns(kind: string, field: string): boolean {
    return kind === this.kind && this.collisions.some((collision) => collision.field === field);
  }
}
