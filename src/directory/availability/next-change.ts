import { DateTime } from 'luxon';
import { parseInstant } from '../../time/parse-instant.js';
import { limitWindows } from '../limits/limit-windows.js';
import { LIMIT_SPANS, type User } from '../user.js';
import { localTime, minutesOf, readAbsence, readWorkingHours } from './presence.js';

const MINUTE = 60_000;
const QUARTER = 15 * MINUTE;
const DAY = 1_440 * MINUTE;

/** How far ahead changes are looked for. */
const HORIZON = 31 * DAY;

/** An hour of a calendar window has two hours at most, where clocks go back. */
const LONGEST_HOUR = 120 * MINUTE;

/**
 * Returns the first instant within 31 days behind `at` at which a user becomes eligible, or is no longer, by
 * the clock alone: by absences, working hours and the windows of limits. Undefined for none.
 * @param newest the assignments of the user, newest first, in milliseconds since 1970; where there are so
 *   many, at least as many as the largest limit
 */
export function nextChange(user: User, at: Date, newest: readonly number[]): number | undefined {
  if (!user.available) return undefined;
  const now = at.getTime();
  const behind = (times: Iterable<number>): number[] =>
    [...new Set(times)]
      .filter((time) => time > now && time <= now + HORIZON)
      .sort((one, other) => one - other);
  // Nothing else is assigned meanwhile, so who has room keeps it.
  const hasRoomAt = (time: number): boolean => hasRoom(user, new Date(time), newest);
  const free = hasRoomAt(now) ? now : behind(releases(user, at, newest)).find(hasRoomAt);
  if (free === undefined) return undefined;
  const absences = user.outOfOffice.map(readAbsence);
  const isWorking = readWorkingHours(user);
  const isIn = (time: number): boolean => {
    if (time < free) return false;
    const instant = new Date(time);
    const local = localTime(instant, user.timezone);
    const clock = () => local;
    return isWorking(clock) && !absences.some((covers) => covers(instant, clock));
  };
  const present = isIn(now);
  return behind([free, ...edges(user, now)]).find((time) => isIn(time) !== present);
}

function hasRoom(user: User, at: Date, newest: readonly number[]): boolean {
  const since = limitWindows(user, at);
  return LIMIT_SPANS.every((span) => {
    const limit = user.limits?.[span] ?? Infinity;
    return limit > 0 && (newest[limit - 1] ?? -Infinity) < since[span];
  });
}

/** The instants at which a window of limits may leave assignments behind. */
function* releases(user: User, at: Date, newest: readonly number[]): Generator<number> {
  const now = at.getTime();
  const since = limitWindows(user, at);
  if (user.limits?.window === 'calendar') {
    yield* quarters(now - (now % QUARTER), LONGEST_HOUR + QUARTER);
    yield* localTimes(user.timezone, now, [0]);
    return;
  }
  for (const span of LIMIT_SPANS) {
    const last = newest[(user.limits?.[span] ?? 0) - 1] ?? NaN;
    yield last + (now - since[span]) + 1;
  }
}

/** The instants at which an absence, a block of working hours or a local day may begin or end. */
function* edges({ outOfOffice, workingHours, timezone }: User, now: number): Generator<number> {
  for (const { from, to } of outOfOffice) yield* [from, to].map((end) => parseInstant(end) ?? NaN);
  const times = (workingHours ?? []).flatMap(({ start, end }) => [minutesOf(start), minutesOf(end)]);
  yield* localTimes(timezone, now, [0, ...times]);
}

/** The instants with one of some local times of day, in minutes, and those at which clocks may change. */
function* localTimes(timezone: string, now: number, times: readonly number[]): Generator<number> {
  const { zone } = DateTime.fromMillis(now, { zone: timezone });
  for (let day = now - (now % DAY); day <= now + HORIZON; day += DAY) {
    // An unknown zone counts as UTC.
    const offsets = new Set([day, day + DAY].map((time) => zone.offset(time) || 0));
    for (const offset of offsets) {
      // In this day of UTC there is one instant with each local time of day, by each offset from UTC.
      for (const time of times) yield day + ((time - offset + 2_880) % 1_440) * MINUTE;
    }
    if (offsets.size > 1) yield* quarters(day, DAY);
  }
}

/** Clocks change at whole quarters of an hour. */
const quarters = (from: number, span: number): number[] =>
  Array.from({ length: span / QUARTER + 1 }, (_, n) => from + n * QUARTER);
