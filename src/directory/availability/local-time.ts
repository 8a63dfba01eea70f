import { DateTime } from 'luxon';
import { WEEKDAYS, type Weekday } from '../user.js';

/** What the clock on the wall and the calendar beside it show at one instant in one time zone. */
export interface LocalTime {
  /** Local date, `YYYY-MM-DD`. */
  readonly date: string;
  readonly weekday: Weekday;
  /** Minutes since local midnight as the clock reads them, 0 to 1439, whatever daylight saving did that day. */
  readonly minutes: number;
  /** The calendar day before `date`. */
  readonly previous: { readonly date: string; readonly weekday: Weekday };
}

/** Reads the wall clock of an IANA time zone; null where the zone or the instant is unknown. */
export type ClockReader = (at: Date, timezone: string) => LocalTime | null;

/**
 * The local time of an instant in an IANA time zone, daylight saving included.
 * Null for a zone that this machine does not know and for an invalid date.
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

// On the calendar, not 24 hours earlier: a day that daylight saving made 25 hours long would name itself.
function previousDate(year: number, month: number, day: number): string {
  const eve = new Date(Date.UTC(year, month - 1, day - 1));
  return isoDate(eve.getUTCFullYear(), eve.getUTCMonth() + 1, eve.getUTCDate());
}
