import { DateTime } from 'luxon';
import { WEEKDAYS, type OutOfOffice, type User, type Weekday, type WorkingHours } from '../user.js';
import { isoDay, parseInstant } from '../../time/parse-instant.js';

/** The local date and time of one instant in one time zone. */
export interface LocalTime {
  /** Local date, `YYYY-MM-DD`. */
  readonly date: string;
  readonly weekday: Weekday;
  /** Hour times 60 plus minute, 0 to 1439, also on days of a daylight saving change. */
  readonly minutes: number;
  /** The calendar day before `date`. */
  readonly previous: { readonly date: string; readonly weekday: Weekday };
}

/** Gives the local time in an IANA time zone; null for an unknown zone and for an invalid date. */
export type ClockReader = (at: Date, timezone: string) => LocalTime | null;

/** Reads the local time, daylight saving included. */
export const localTime: ClockReader = (at, timezone) => {
  const local = DateTime.fromJSDate(at, { zone: timezone });
  if (!local.isValid) return null;
  // By the calendar: 24 hours before an instant may be the same date, on a day of 25 hours.
  const eve = DateTime.utc(local.year, local.month, local.day).minus({ days: 1 });
  return { ...dayOf(local), minutes: local.hour * 60 + local.minute, previous: dayOf(eve) };
};

const dayOf = (date: DateTime): { readonly date: string; readonly weekday: Weekday } => ({
  date: date.toISODate() ?? '',
  weekday: WEEKDAYS[date.weekday - 1] ?? 'mon',
});

/**
 * Whether the instant is within an absence of the user (contract section 3). `from` is inclusive. `to` is
 * exclusive where it is an instant, and inclusive where it is a date alone: dates are local days of the user.
 * An absence with an unreadable end covers no instant.
 * @param readClock gives the local time; pass a reader with a cache to check many users at one instant
 */
export function isOutOfOffice(
  { outOfOffice, timezone }: Pick<User, 'outOfOffice' | 'timezone'>,
  at: Date,
  readClock: ClockReader = localTime,
): boolean {
  return outOfOffice.some((absence) => readAbsence(absence)(at, () => readClock(at, timezone)));
}

/** Reads an absence once, to ask it of many instants. */
export function readAbsence({ from, to }: OutOfOffice): (at: Date, clock: () => LocalTime | null) => boolean {
  const [first, last] = [isoDay(from), isoDay(to, 'last')];
  const start = first === undefined ? instant(from) : NaN;
  const end = last === undefined ? instant(to) : NaN;
  return (at, clock) => {
    const now = at.getTime();
    const today = (first ?? last) ? clock()?.date : '';
    if (today === undefined) return false;
    const hasBegun = first === undefined ? start <= now : first <= today;
    return hasBegun && (last === undefined ? now < end : today <= last);
  };
}

function instant(text: string): number {
  return parseInstant(text) ?? NaN;
}

/**
 * Whether an instant is within a block of the user's working hours (contract, section 5): by local time at
 * or after `start` and before `end`, on a listed day. A block whose end is not after its start runs past
 * midnight, and belongs to the day of its start; `end` equal to `start` means 24 hours, and `24:00` midnight.
 *
 * Without working hours (null) everybody is inside, with an empty list nobody. On a date in `holidays` the
 * user is outside, also behind midnight in a block of the day before; so is who has an unknown time zone. A
 * block with an unreadable time covers no instant.
 * @param readClock gives the local time; pass a reader with a cache to check many users at one instant
 */
export function isWithinWorkingHours(
  user: Pick<User, 'timezone' | 'workingHours' | 'holidays'>,
  at: Date,
  readClock: ClockReader = localTime,
): boolean {
  return readWorkingHours(user)(() => readClock(at, user.timezone));
}

/** Reads the working hours of a user once, to ask them of many instants. */
export function readWorkingHours({
  workingHours,
  holidays,
}: Pick<User, 'workingHours' | 'holidays'>): (clock: () => LocalTime | null) => boolean {
  if (workingHours === null && holidays.length === 0) return () => true;
  const blocks = workingHours?.map(readBlock);
  return (readClock) => {
    const clock = readClock();
    if (clock === null || holidays.includes(clock.date)) return false;
    return blocks?.some((covers) => covers(clock)) ?? true;
  };
}

function readBlock({ days, ...block }: WorkingHours): (clock: LocalTime) => boolean {
  const [start, end] = [minutesOf(block.start), minutesOf(block.end)];
  if (Number.isNaN(start) || Number.isNaN(end)) return () => false;
  return ({ weekday, minutes, previous }) => {
    const today = days.includes(weekday);
    if (end > start) return today && minutes >= start && minutes < end;
    return (today && minutes >= start) || (days.includes(previous.weekday) && minutes < end);
  };
}

/** The minutes since midnight of a time `HH:MM`; NaN for what is none. */
export function minutesOf(time: string): number {
  const match = /^(\d{1,2}):(\d{2})$/.exec(time);
  return match === null ? NaN : Number(match[1]) * 60 + Number(match[2]);
}
