import { applyDecorators } from '@nestjs/common';
import { Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayNotEmpty,
  IsArray,
  IsBoolean,
  IsIn,
  IsObject,
  IsTimeZone,
  Matches,
  ValidateBy,
  ValidateNested,
} from 'class-validator';
import { IsEmailAddress, IsEmailKey } from '../../validation/email-key.decorator.js';
import {
  HasDistinctItems,
  IsCount,
  IsListOf,
  IsStorableText,
  MayBeAbsent,
  MayBeNull,
  rule,
} from '../../validation/decorators.js';
import {
  WEEKDAYS,
  type AssignmentLimits,
  type OutOfOffice,
  type Weekday,
  type WorkingHours,
} from '../user.js';
import { isoDay, parseInstant } from '../../time/parse-instant.js';

/**
 * Returns an end of an absence as it is stored; undefined for what is none.
 * @param which day a week, a month or a year stands for
 */
function storedEnd(value: unknown, which?: 'first' | 'last'): string | undefined {
  const instant = parseInstant(value);
  return instant === undefined ? undefined : (isoDay(value, which) ?? new Date(instant).toISOString());
}

/** Turns a date alone and an instant into the form in which it is stored. Any other value stays as it is. */
const AsStored = (which: 'first' | 'last'): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => storedEnd(value, which) ?? value);

const IsEnd = (): PropertyDecorator =>
  rule('isEnd', 'must be an ISO 8601 date, or date and time', (value) => storedEnd(value) !== undefined);

const DAY = 24 * 60 * 60 * 1000;

/** Returns the instant before which an absence ends, were its user in UTC. */
function afterEnd(to: string): number {
  return (parseInstant(to) ?? NaN) + (isoDay(to) === undefined ? 0 : DAY);
}

const IsAfterFrom = (): PropertyDecorator =>
  rule('isAfterFrom', 'must be later than from', (to, args) => {
    const from = storedEnd((args?.object as OutOfOffice).from);
    // What is wrong with one of them is said of it.
    return from === undefined || afterEnd(String(to)) > (parseInstant(from) ?? NaN);
  });

/**
 * An absence of a user (contract section 3): instants, `to` exclusive, or dates alone, which are local days
 * of the user, `to` inclusive.
 */
export class OutOfOfficeDto implements OutOfOffice {
  @AsStored('first')
  @IsEnd()
  from!: string;

  @AsStored('last')
  @IsAfterFrom()
  @IsEnd()
  to!: string;
}

/** Accepts a list of at most 1000 local dates `YYYY-MM-DD`. */
export const IsHolidays = (): PropertyDecorator =>
  applyDecorators(
    IsArray(),
    ArrayMaxSize(1000),
    Matches(/^\d{4}-\d{2}-\d{2}$/, { each: true, message: 'holidays must be dates such as 2026-12-25' }),
    ValidateBy(
      {
        name: 'isDate',
        validator: {
          validate: (day) => isoDay(day) === day,
          defaultMessage: () => 'holidays must be dates that exist',
        },
      },
      { each: true },
    ),
  );

/** A block of working hours in the configuration file. */
export class WorkingHoursDto implements WorkingHours {
  @IsArray()
  @ArrayNotEmpty()
  @ArrayMaxSize(WEEKDAYS.length)
  @IsIn(WEEKDAYS, { each: true, message: `days must be among ${WEEKDAYS.join(', ')}` })
  days!: Weekday[];

  @Matches(/^([01]\d|2[0-3]):[0-5]\d$/, { message: 'start must be a time HH:MM from 00:00 to 23:59' })
  start!: string;

  @Matches(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/, { message: 'end must be a time HH:MM from 00:00 to 24:00' })
  end!: string;
}

/** The most assignments in a span, as the configuration file has them. */
export class LimitsDto implements AssignmentLimits {
  @MayBeAbsent()
  @IsCount()
  hour?: number;

  @MayBeAbsent()
  @IsCount()
  day?: number;

  @MayBeAbsent()
  @IsCount()
  week?: number;

  @MayBeAbsent()
  @IsCount()
  month?: number;

  @MayBeAbsent()
  @IsIn(['rolling', 'calendar'])
  window?: 'rolling' | 'calendar';
}

/** A user as the configuration file has it. A key that is left out changes nothing. */
export class UserDto {
  @IsEmailAddress()
  email!: string;

  @MayBeNull()
  @IsStorableText(200)
  name?: string | null;

  @MayBeAbsent()
  @IsTimeZone({ message: 'timezone must be an IANA zone such as America/New_York' })
  timezone?: string;

  @MayBeAbsent()
  @IsBoolean()
  available?: boolean;

  @MayBeNull()
  @IsListOf(WorkingHoursDto, { most: 100 })
  working_hours?: WorkingHoursDto[] | null;

  @MayBeAbsent()
  @IsListOf(OutOfOfficeDto, { most: 1000 })
  out_of_office?: OutOfOfficeDto[];

  @MayBeAbsent()
  @IsHolidays()
  holidays?: string[];

  @MayBeNull()
  @IsObject()
  @ValidateNested()
  @Type(() => LimitsDto)
  limits?: LimitsDto | null;
}

/** A team in the configuration file. */
export class TeamDto {
  @IsStorableText(200)
  name!: string;

  /** E-mail addresses of users of the account, in turn order. */
  @MayBeAbsent()
  @IsArray()
  @HasDistinctItems()
  @IsEmailKey({ each: true })
  members?: string[];
}
