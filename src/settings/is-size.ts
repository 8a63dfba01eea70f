import { ValidateBy } from 'class-validator';
import { bytesOf, SIZE } from './bytes-of.js';

/** Accepts a size such as `64kb`. @param most the largest one, as a size */
export function IsSize(most?: string): PropertyDecorator {
  const bound = most === undefined ? '' : ` of at most ${most}`;
  return ValidateBy({
    name: 'isSize',
    validator: {
      validate: (value: unknown) =>
        typeof value === 'string' &&
        SIZE.test(value) &&
        (most === undefined || bytesOf(value) <= bytesOf(most)),
      defaultMessage: (args) =>
        `${args?.property ?? 'the size'} must be a size such as 64kb, 1mb or 65536${bound}`,
    },
  });
}
