import { DateTime } from 'luxon';

/**
 * A numeric timestamp below this magnitude is in seconds (until the year 5138), others are in milliseconds.
 */
const SECONDS_BELOW = 1e11;
const EARLIEST = Date.parse('0001-01-01T00:00:00.000Z');
const LATEST = Date.parse('9999-12-31T23:59:59.999Z');
/** No accepted date is longer. Longer text is refused before the patterns run. */
const MAX_WRITTEN_LENGTH = 100;

const STORED = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const NUMERIC = /^-?\d{9,}$/;

// luxon also reads a time without a date (as today's) and zone names in brackets, so the shape is checked
// first.
const FULL_DATE = /(?:[+-]\d{6}|\d{4})(?:-\d\d-\d\d|\d{4}|-?\d{3})|\d{4}-W\d\d-\d|\d{4}W\d{3}/.source;
const SHORT_DATE = /\d{4}(?:-\d\d)?|\d{4}-?W\d\d/.source;
const TIME = /\d\d(?::?\d\d(?::?\d\d(?:[.,]\d{1,30})?)?)?/.source;
const HOURS = /[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?/.source;
/** Many programs write a space before it, and UTC for Z. */
const OFFSET = `Z|${HOURS}| (?:UTC|GMT|${HOURS})`;
const DATE_ALONE = new RegExp(`^(?:${FULL_DATE}|${SHORT_DATE})$`, 'i');
const ISO_8601 = new RegExp(`^(?:(?:${FULL_DATE})(?:[T ]${TIME}(?:${OFFSET})?)?|${SHORT_DATE})$`, 'i');

/**
 * Reads an instant as clause 2.6 and the contract accept it, as milliseconds since 1970-01-01T00:00:00Z:
 * - a numeric timestamp in milliseconds, or in seconds for a magnitude below 1e11; as a number, or as a
 *   string of nine or more digits (a shorter one may be an ISO 8601 date);
 * - ISO 8601 with a date, a space for the `T` and ` UTC` or a space before an offset included: a date alone
 *   is midnight UTC, a missing offset means UTC;
 * - RFC 2822.
 *
 * Undefined for anything else, for dates that do not exist and outside the years 0001–9999.
 */
export function parseInstant(value: unknown): number | undefined {
  const instant = typeof value === 'string' ? fromText(value) : fromTimestamp(value);
  return instant !== undefined && instant >= EARLIEST && instant <= LATEST ? instant : undefined;
}

/**
 * Returns the day `YYYY-MM-DD` that a date alone names, in whatever form of ISO 8601; undefined for an
 * instant and for what is no date.
 * @param which of the days of a week, a month or a year
 */
export function isoDay(value: unknown, which: 'first' | 'last' = 'first'): string | undefined {
  if (typeof value !== 'string' || value.length > MAX_WRITTEN_LENGTH) return undefined;
  if (NUMERIC.test(value) || !DATE_ALONE.test(value)) return undefined;
  // The usual form becomes the one that is read fast.
  const instant = parseInstant(value.length === 10 ? `${value}T00:00:00.000Z` : value);
  if (instant === undefined) return undefined;
  const unit = which === 'last' ? PERIODS.find(([form]) => form.test(value))?.[1] : undefined;
  if (unit === undefined) return new Date(instant).toISOString().slice(0, 10);
  return DateTime.fromMillis(instant, { zone: 'utc' }).endOf(unit).toISODate() ?? undefined;
}

/** Dates of several days. */
const PERIODS = [
  [/^\d{4}$/, 'year'],
  [/^\d{4}-\d\d$/, 'month'],
  [/^\d{4}-?W\d\d$/i, 'week'],
] as const;

function fromTimestamp(value: unknown): number | undefined {
  if (typeof value !== 'number') return undefined;
  return Math.round(Math.abs(value) < SECONDS_BELOW ? value * 1000 : value);
}

function fromText(text: string): number | undefined {
  if (text.length > MAX_WRITTEN_LENGTH) return undefined;
  // What is stored is read often, and this takes a tenth of the time.
  const stored = STORED.test(text) ? new Date(text) : undefined;
  if (stored !== undefined && !Number.isNaN(stored.getTime()) && stored.toISOString() === text)
    return stored.getTime();
  if (NUMERIC.test(text)) return fromTimestamp(Number(text));
  const date = ISO_8601.test(text)
    ? DateTime.fromISO(plainIso(text), { zone: 'utc' })
    : DateTime.fromRFC2822(modernized(text), { zone: 'utc' });
  return date.isValid ? date.toMillis() : undefined;
}

/** Rewrites what ISO 8601 has not: spaces, and names of UTC. */
function plainIso(text: string): string {
  return text
    .replace(/ (?:UTC|GMT)$/i, 'Z')
    .replace(/ (?=[+-])/, '')
    .replace(' ', 'T');
}

/**
 * Rewrites what luxon reads differently from RFC 2822, section 4.3: years of two and three digits, and `UT`.
 */
function modernized(text: string): string {
  return text
    .replace(
      /^((?:[a-z]{3},\s+)?\d{1,2}\s+[a-z]{3}\s+)(\d{2,3})(?=\s)/i,
      (_, before: string, year: string) => {
        const isRecent = year.length === 2 && Number(year) < 50;
        return before + String(Number(year) + (isRecent ? 2000 : 1900));
      },
    )
    .replace(/\sUT$/, ' GMT');
}
