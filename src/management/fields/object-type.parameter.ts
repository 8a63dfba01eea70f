import { OBJECT_TYPES, type ObjectType } from '../../fields/index.js';
import { described, optionalText, ParameterError } from '../../http/index.js';

/** An object type that is sent at most once. Undefined where it is absent. */
export const objectType = described<ObjectType | undefined>(
  (raw, name, query) => {
    const value = optionalText(raw, name, query);
    const known = OBJECT_TYPES.find((type) => type === value);
    if (value !== known) throw new ParameterError(`${name} must be one of ${OBJECT_TYPES.join(', ')}`);
    return known;
  },
  { schema: { type: 'string', enum: [...OBJECT_TYPES] } },
);
