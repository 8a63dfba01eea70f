import type { Type } from '@nestjs/common';
import type { ValidationError } from 'class-validator';
import type { FieldError } from '../errors/domain-error.js';
import { unknownKeyMessage } from './dto-properties.js';
import { shownName, shownPath } from '../text/shown-name.js';

/**
 * Turns the result of class-validator into a flat list with paths such as `users[1].working_hours[0].start`.
 * @param prefix path of the validated object; empty for a request body
 * @returns one failure for each failing property
 */
export function flattenErrors(failures: readonly ValidationError[], prefix = ''): FieldError[] {
  return failures.flatMap(({ property, target, constraints = {}, children = [] }) => {
    const shown = shownName(property);
    const field = /^\d+$/.test(property)
      ? `${prefix}[${property}]`
      : prefix === ''
        ? shown
        : `${prefix}.${shown}`;
    if ('whitelistValidation' in constraints)
      return [{ field: shownPath(field), message: unknownKeyMessage(target?.constructor as Type, shown) }];
    // A value of another type fails the rules for the right type too; only the failure of the type is of use.
    const { isArray, isInt, isNumber } = constraints;
    if (isArray !== undefined) return [{ field: shownPath(field), message: isArray }];
    return [
      ...[isInt, isNumber, ...Object.values(constraints)]
        .filter((message) => message !== undefined)
        .slice(0, 1)
        .map((message) => ({ field: shownPath(field), message })),
      ...flattenErrors(children, field),
    ];
  });
}
