import { DateTime } from 'luxon';
import { WEEKDAYS, type Weekday } from '../user.js';

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
