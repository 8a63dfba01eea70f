import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsInt, Max, Min, ValidateBy, type ValidationArguments } from 'class-validator';
import { toNumber } from './to-number.js';

/** A setting that is a whole number of milliseconds between two bounds. */
export function Milliseconds(least: number, most: number): PropertyDecorator {
  return applyDecorators(Transform(toNumber), IsInt(), Min(least), Max(most));
}

/** A setting that must be more than another one. The error names both. */
export function IsMoreThan(other: string): PropertyDecorator {
  const valueOf = ({ object }: ValidationArguments): unknown => (object as Record<string, unknown>)[other];
  return ValidateBy({
    name: 'isMoreThan',
    validator: {
      validate: (value: unknown, args): boolean =>
        args !== undefined && Number(value) > Number(valueOf(args)),
      defaultMessage: (args) => `${args?.property ?? ''} must be more than ${other}`,
    },
  });
}
