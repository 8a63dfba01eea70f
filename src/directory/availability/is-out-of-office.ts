import { isoDay, parseInstant } from '../../time/parse-instant.js';
import type { OutOfOffice, User } from '../user.js';
import { localTime, type ClockReader, type LocalTime } from './local-time.js';

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
