import { OBJECT_TYPE_RULES, type ObjectType } from '../fields/index.js';
import { ParameterError, type ParameterParser } from '../http/index.js';

/** The column that has a unique key of records: that of the type's own key, or that of `external_id`. */
export type KeyColumn = 'unique_key' | 'external_id';

/** A unique key (clause 2.8) with the value that an active record has. */
export interface KeyValue {
  /** The field, such as `email`. */
  readonly property: string;
  /** As it is stored. */
  readonly value: string;
}

/** Returns the column of a unique key of a type. */
export function keyColumn(property: string): KeyColumn {
  return property === 'external_id' ? 'external_id' : 'unique_key';
}

/**
 * `id_property` (contract section 7): the unique key of the type by which the path names the record.
 * Undefined where it is absent.
 */
export const idProperty =
  (objectType: ObjectType): ParameterParser<string | undefined> =>
  (raw, name) => {
    if (raw === undefined) return undefined;
    const { uniqueKeys } = OBJECT_TYPE_RULES[objectType];
    if (typeof raw === 'string' && uniqueKeys.includes(raw)) return raw;
    throw new ParameterError(`${name} must be ${uniqueKeys.join(' or ')}, sent once`);
  };

/** As `idProperty`, for a route that names records by their keys only. */
export const requiredIdProperty =
  (objectType: ObjectType): ParameterParser<string> =>
  (raw, name, query) => {
    const property = idProperty(objectType)(raw, name, query);
    if (property !== undefined) return property;
    throw new ParameterError(`${name} is required: ${OBJECT_TYPE_RULES[objectType].uniqueKeys.join(' or ')}`);
  };
