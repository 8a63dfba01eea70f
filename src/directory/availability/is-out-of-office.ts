import { isoDay, parseInstant } from '../../time/parse-instant.js';
import type { User } from '../user.js';
import { localTime, type ClockReader } from './local-time.js';

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
  const now = at.getTime();
  return outOfOffice.some(({ from, to }) => {
    const [first, last] = [isoDay(from), isoDay(to, 'last')];
    const today = (first ?? last) ? readClock(at, timezone)?.date : '';
    if (today === undefined) return false;
    const hasBegun = first === undefined ? instant(from) <= now : first <= today;
    return hasBegun && (last === undefined ? now < instant(to) : today <= last);
  });
}

function instant(text: string): number {
  return parseInstant(text) ?? NaN;
}
