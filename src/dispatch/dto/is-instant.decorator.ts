import { isISO8601, ValidateBy } from 'class-validator';
import { parseInstant } from '../../fields/index.js';

/** Accepts an ISO 8601 date and time that exists, in the years 0001 to 9999. */
export const IsInstant = (): PropertyDecorator =>
  ValidateBy({
    name: 'isInstant',
    validator: {
      validate: (value: unknown) => isISO8601(value, { strict: true }) && parseInstant(value) !== undefined,
      defaultMessage: (args) => `${args?.property ?? 'value'} must be an ISO 8601 date and time`,
    },
  });
