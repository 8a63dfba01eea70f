import { Transform } from 'class-transformer';
import { ValidateBy } from 'class-validator';
import { isoDay, parseInstant } from '../../time/parse-instant.js';
import type { OutOfOffice } from '../user.js';

/** Returns an end of an absence as it is stored; undefined for what is none. */
function storedEnd(value: unknown): string | undefined {
  const instant = parseInstant(value);
  return instant === undefined ? undefined : (isoDay(value) ?? new Date(instant).toISOString());
}

/** Turns a date alone and an instant into the form in which it is stored. Any other value stays as it is. */
const AsStored = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => storedEnd(value) ?? value);

const IsEnd = (): PropertyDecorator =>
  ValidateBy({
    name: 'isEnd',
    validator: {
      validate: (value: unknown) => storedEnd(value) !== undefined,
      defaultMessage: (args) => `${args?.property ?? 'value'} must be an ISO 8601 date, or date and time`,
    },
  });

const DAY = 24 * 60 * 60 * 1000;

/** Returns the instant before which an absence ends, were its user in UTC. */
function afterEnd(to: string): number {
  return (parseInstant(to) ?? NaN) + (isoDay(to) === undefined ? 0 : DAY);
}

const IsAfterFrom = (): PropertyDecorator =>
  ValidateBy({
    name: 'isAfterFrom',
    validator: {
      validate: (to: unknown, args) => {
        const from = storedEnd((args?.object as OutOfOffice).from);
        // What is wrong with one of them is said of it.
        return from === undefined || afterEnd(String(to)) > (parseInstant(from) ?? NaN);
      },
      defaultMessage: () => 'to must be later than from',
    },
  });

/**
 * An absence of a user (contract section 3): instants, `to` exclusive, or dates alone, which are local days
 * of the user, `to` inclusive.
 */
export class OutOfOfficeDto implements OutOfOffice {
  @AsStored()
  @IsEnd()
  from!: string;

  @AsStored()
  @IsAfterFrom()
  @IsEnd()
  to!: string;
}
