import { ValidateBy, type ValidationArguments } from 'class-validator';
import { WholeNumber } from './whole-number.js';

/** A setting that is a whole number of milliseconds between two bounds. */
export function Milliseconds(least: number, most: number): PropertyDecorator {
  return WholeNumber(least, most, 'milliseconds');
}

/** A setting that must be more than another one. The error names both, and the value of the other one. */
export function IsMoreThan(other: string): PropertyDecorator {
  const valueOf = (args?: ValidationArguments): number =>
    Number((args?.object as Record<string, unknown> | undefined)?.[other]);
  return ValidateBy({
    name: `isMoreThan ${other}`,
    validator: {
      // The error of a value that is no number names its own setting.
      validate: (value: unknown, args): boolean => !(Number(value) <= valueOf(args)),
      defaultMessage: (args) =>
        `${args?.property ?? ''} must be more than ${other}, which is ${valueOf(args)}`,
    },
  });
}
