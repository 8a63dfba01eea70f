import { DateTime } from 'luxon';
import { WEEKDAYS, type Weekday } from '../user.js';

/** The local date and time of one instant in one time zone. */
export interface LocalTime {
  /** Local date, `YYYY-MM-DD`. */
  readonly date: string;
  readonly weekday: Weekday;
  /**
   * Local time of day in minutes, 0 to 1439: hour times 60 plus minute, also on days of a daylight saving
   * change.
   */
  readonly minutes: number;
  /** The calendar day before `date`. */
  readonly previous: { readonly date: string; readonly weekday: Weekday };
}

/** Gives the local time in an IANA time zone; null for an unknown zone and for an invalid date. */
export type ClockReader = (at: Date, timezone: string) => LocalTime | null;

/**
 * The local time of an instant in an IANA time zone, daylight saving included. Null for a zone that this
 * machine does not know and for an invalid date.
 */
export const localTime: ClockReader = (at, timezone) => {
  const local = DateTime.fromJSDate(at, { zone: timezone });
  if (!local.isValid) {
    return null;
  }
  const weekday = local.weekday - 1;
  return {
    date: isoDate(local.year, local.month, local.day),
    weekday: weekdayAt(weekday),
    minutes: local.hour * 60 + local.minute,
    previous: { date: previousDate(local.year, local.month, local.day), weekday: weekdayAt(weekday + 6) },
  };
};

function weekdayAt(index: number): Weekday {
  return WEEKDAYS[index % 7] ?? 'mon';
}

function isoDate(year: number, month: number, day: number): string {
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}

// Computed from the calendar date: 24 hours before an instant may be the same date, on a day of 25 hours.
function previousDate(year: number, month: number, day: number): string {
  const eve = new Date(Date.UTC(year, month - 1, day - 1));
  return isoDate(eve.getUTCFullYear(), eve.getUTCMonth() + 1, eve.getUTCDate());
}
