import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { ValidateBy } from 'class-validator';
import { toNumber } from './to-number.js';

/** A setting that is a whole number between two bounds. @param unit such as `seconds` */
export function WholeNumber(least: number, most: number, unit?: string): PropertyDecorator {
  const what = `a whole number${unit === undefined ? '' : ` of ${unit}`} from ${least} to ${most}`;
  return applyDecorators(
    Transform(toNumber),
    ValidateBy({
      name: 'isWholeNumber',
      validator: {
        validate: (value: unknown) =>
          Number.isInteger(value) && Number(value) >= least && Number(value) <= most,
        defaultMessage: (args) => `${args?.property ?? 'the number'} must be ${what}`,
      },
    }),
  );
}
