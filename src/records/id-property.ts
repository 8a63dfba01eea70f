import { OBJECT_TYPE_RULES, type ObjectType } from '../fields/index.js';
import { ParameterError, type ParameterParser } from '../http/index.js';

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
