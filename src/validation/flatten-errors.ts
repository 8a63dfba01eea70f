import type { ValidationError } from 'class-validator';
import type { FieldError } from '../errors/domain-error.js';
import { shownName } from '../text/shown-name.js';

/**
 * What class-validator found, as flat errors with paths such as `users[1].working_hours[0].start`.
 * @param prefix path of the validated object; empty for a request body
 */
export function flattenErrors(failures: readonly ValidationError[], prefix = ''): FieldError[] {
  return failures.flatMap(({ property, constraints = {}, children = [] }) => {
    const shown = shownName(property);
    const field = /^\d+$/.test(property)
      ? `${prefix}[${property}]`
      : prefix === ''
        ? shown
        : `${prefix}.${shown}`;
    if ('whitelistValidation' in constraints) return [{ field, message: `Unknown key: ${shown}` }];
    // What is no list breaks the rules for lists as well, and its keys are not those of an item.
    const { isArray } = constraints;
    if (isArray !== undefined) return [{ field, message: isArray }];
    return [
      ...Object.values(constraints)
        .slice(0, 1)
        .map((message) => ({ field, message })),
      ...flattenErrors(children, field),
    ];
  });
}
