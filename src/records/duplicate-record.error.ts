import { DomainError } from '../errors/domain-error.js';
import { OBJECT_TYPE_RULES, type ObjectType } from '../fields/index.js';

/** 409 (clause 2.8): an active record of the account and type already has one or more of the keys. */
export class DuplicateRecordError extends DomainError {
  /** @param fields the colliding keys, at least one, in the order of the specification */
  constructor(objectType: ObjectType, fields: readonly string[]) {
    const { singular } = OBJECT_TYPE_RULES[objectType];
    const errors = fields.map((field) => ({
      field,
      message: `A ${singular} with this ${field} already exists`,
    }));
    const [first] = errors;
    super(409, first?.message ?? `This ${singular} already exists`, {
      ...(first === undefined ? {} : { field: first.field }),
      errors,
    });
  }
}
