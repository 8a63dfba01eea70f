import { ValidateBy } from 'class-validator';
import { parseInstant } from '../../time/parse-instant.js';

/** Accepts the text of an instant, as `parseInstant` reads it. */
export const IsInstant = (): PropertyDecorator =>
  ValidateBy({
    name: 'isInstant',
    validator: {
      validate: (value: unknown) => typeof value === 'string' && parseInstant(value) !== undefined,
      defaultMessage: (args) => `${args?.property ?? 'value'} must be an ISO 8601 date and time`,
    },
  });
