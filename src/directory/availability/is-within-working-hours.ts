import type { User, WorkingHours } from '../user.js';
import { localTime, type ClockReader, type LocalTime } from './local-time.js';

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
