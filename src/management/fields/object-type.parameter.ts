import { OBJECT_TYPES, type ObjectType } from '../../fields/index.js';
import { optionalText, ParameterError, type ParameterParser } from '../../http/index.js';

/** An object type that is sent at most once. Undefined where it is absent. */
export const objectType: ParameterParser<ObjectType | undefined> = (raw, name, query) => {
  const value = optionalText(raw, name, query);
  const known = OBJECT_TYPES.find((type) => type === value);
  if (value !== known) throw new ParameterError(`${name} must be one of ${OBJECT_TYPES.join(', ')}`);
  return known;
};
