import { DateTime, type DateTimeUnit } from 'luxon';
import type { User } from '../user.js';

/** When each window of a user's limits began: assignments at or after that instant count. */
export interface LimitWindows {
  readonly hour: Date;
  readonly day: Date;
  readonly week: Date;
  readonly month: Date;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/**
 * The windows of a user's limits at an instant (contract, section 4). `rolling`, also for a user without limits: the 1
 * hour, 24 hours, 7 days and 30 days before it; an assignment exactly that long ago still counts. `calendar`: the hour,
 * day, week (from Monday) and month on the calendar of the user's time zone, however long daylight saving makes them; in
 * UTC where the zone is unknown here.
 */
export function limitWindows(user: Pick<User, 'timezone' | 'limits'>, at: Date): LimitWindows {
  if (user.limits?.window !== 'calendar') {
    const ago = (span: number) => new Date(at.getTime() - span);
    return { hour: ago(HOUR), day: ago(DAY), week: ago(7 * DAY), month: ago(30 * DAY) };
  }
  const zoned = DateTime.fromJSDate(at, { zone: user.timezone });
  const local = zoned.isValid ? zoned : DateTime.fromJSDate(at, { zone: 'utc' });
  return {
    hour: local.startOf('hour').toJSDate(),
    day: startOf(local, 'day'),
    week: startOf(local, 'week'),
    month: startOf(local, 'month'),
  };
}

/** Where the clocks go back over midnight it strikes twice, and the day begins with the first. */
function startOf(local: DateTime, unit: DateTimeUnit): Date {
  const midnights = local.startOf(unit).getPossibleOffsets();
  return new Date(Math.min(...midnights.map((midnight) => midnight.toMillis())));
}
