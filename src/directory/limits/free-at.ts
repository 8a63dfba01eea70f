import type { User } from '../user.js';
import { limitWindows } from './limit-windows.js';

const SPANS = ['hour', 'day', 'week', 'month'] as const;

/** Offsets of time zones are whole quarters of an hour, and an hour has two hours at most. */
const QUARTER = 15 * 60_000;
const QUARTERS = 9;

/**
 * Returns the instant from which a user has room in all limits, if nothing is assigned any more. -Infinity
 * for room at `at` already, Infinity for none within the days.
 * @param known `newest`: the assignments of the user, newest first, where there are so many at least as many
 *   as the largest limit; `days`: the instants behind `at` at which local days begin
 */
export function freeAt(
  user: Pick<User, 'timezone' | 'limits'>,
  at: Date,
  { newest, days }: { readonly newest: readonly number[]; readonly days: readonly number[] },
): number {
  const now = at.getTime();
  const since = limitWindows(user, at);
  const waits = SPANS.map((span): number => {
    const limit = user.limits?.[span];
    if (limit === undefined) return -Infinity;
    if (limit === 0) return Infinity;
    const last = newest[limit - 1] ?? -Infinity;
    const start = since[span].getTime();
    if (last < start) return -Infinity;
    // An assignment counts until the window begins behind it.
    if (user.limits?.window !== 'calendar') return last + (now - start) + 1;
    const next = Math.floor(now / QUARTER) + 1;
    const quarters = Array.from({ length: QUARTERS }, (_, n) => (next + n) * QUARTER);
    const isFree = (time: number): boolean => limitWindows(user, new Date(time))[span].getTime() > last;
    return (span === 'hour' ? quarters : days).find((time) => time > now && isFree(time)) ?? Infinity;
  });
  return Math.max(...waits);
}
