import { ValidateBy } from 'class-validator';
import { parseScopes, SCOPES } from '../../auth/index.js';

/** Accepts a text of one or more scopes, separated by spaces. */
export function IsScopeList(): PropertyDecorator {
  return ValidateBy({
    name: 'isScopeList',
    validator: {
      validate: (value: unknown) => {
        const parsed = typeof value === 'string' ? parseScopes(value) : { unknown: [] };
        return 'scopes' in parsed && parsed.scopes.length > 0;
      },
      defaultMessage: (args) => `${args?.property ?? 'value'} must be one or more of ${SCOPES.join(' ')}`,
    },
  });
}
