import { Transform } from 'class-transformer';
import { isISO8601, ValidateBy } from 'class-validator';
import type { OutOfOffice } from '../user.js';

/**
 * Converts ISO 8601 with any offset to UTC. A value that cannot be read stays as it is, and the validator
 * refuses it.
 */
const ToUtc = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => {
    if (value instanceof Date && !Number.isNaN(value.getTime())) return value.toISOString();
    if (typeof value !== 'string' || !/(Z|[+-]\d{2}:?\d{2})$/.test(value)) return value;
    const time = Date.parse(value);
    return Number.isNaN(time) ? value : new Date(time).toISOString();
  });

const IsAfterFrom = (): PropertyDecorator =>
  ValidateBy({
    name: 'isAfterFrom',
    validator: {
      validate: (to: unknown, args) => String(to) > (args?.object as OutOfOffice).from,
      defaultMessage: () => 'to must be later than from',
    },
  });

const IsInstant = (): PropertyDecorator =>
  ValidateBy({
    name: 'isInstant',
    validator: {
      // `ToUtc` has converted every value with an offset to `Z`. A value without an offset would depend on
      // the time zone of the machine, so it is refused.
      validate: (value: unknown) => isISO8601(value, { strict: true }) && String(value).endsWith('Z'),
      defaultMessage: (args) =>
        `${args?.property ?? 'value'} must be an ISO 8601 date and time with Z or an offset`,
    },
  });

/** An absence of a user in the configuration file. */
export class OutOfOfficeDto implements OutOfOffice {
  @ToUtc()
  @IsInstant()
  from!: string;

  @ToUtc()
  @IsAfterFrom()
  @IsInstant()
  to!: string;
}
