import { ApiQuery } from '../../http/index.js';
import { STANDARD_FIELDS, type ObjectType } from '../../fields/index.js';
import { MOST_EXPANDED } from './resolve-expand.js';

/** Documents `expand`, for a route that answers records of a type. */
export function ApiExpand(objectType: ObjectType): MethodDecorator {
  const standard = STANDARD_FIELDS[objectType].filter(({ type }) => type === 'reference');
  const names = standard.map(({ internalName }) => `\`${internalName}\``);
  const all = [...names, 'custom fields of type `reference`'].join(', ');
  return ApiQuery({
    name: 'expand',
    required: false,
    schema: { type: 'string', maxLength: 10_000, pattern: '^[^\\u0000]*$' },
    description:
      `References to show as the records that they name, with their default fields: ${all}. Up to ` +
      `${MOST_EXPANDED}, comma-separated, repeated, or both`,
  });
}
