import { DateTime, type DateTimeUnit } from 'luxon';
import type { LimitSpan, User } from '../user.js';

/** The start of each window of a user's limits, in milliseconds since 1970. Assignments from it on count. */
export type LimitWindows = Readonly<Record<LimitSpan, number>>;

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/**
 * The windows of a user's limits at an instant (contract, section 4).
 * - `rolling`, also for a user without limits: 1 hour, 24 hours, 7 days and 30 days before the instant. An
 *   assignment exactly that long ago counts.
 * - `calendar`: the current hour, day, week (from Monday) and month in the user's time zone. Daylight saving
 *   may make them longer or shorter. An unknown time zone counts as UTC.
 */
export function limitWindows(user: Pick<User, 'timezone' | 'limits'>, at: Date): LimitWindows {
  if (user.limits?.window !== 'calendar') {
    const now = at.getTime();
    return { hour: now - HOUR, day: now - DAY, week: now - 7 * DAY, month: now - 30 * DAY };
  }
  const zoned = DateTime.fromJSDate(at, { zone: user.timezone });
  const local = zoned.isValid ? zoned : DateTime.fromJSDate(at, { zone: 'utc' });
  return {
    hour: local.startOf('hour').toMillis(),
    day: startOf(local, 'day'),
    week: startOf(local, 'week'),
    month: startOf(local, 'month'),
  };
}

/**
 * The start of the day, week or month. Where the clocks go back across midnight, midnight occurs twice; the
 * first one counts.
 */
function startOf(local: DateTime, unit: DateTimeUnit): number {
  const midnights = local.startOf(unit).getPossibleOffsets();
  return Math.min(...midnights.map((midnight) => midnight.toMillis()));
}
