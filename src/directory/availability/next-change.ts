import { freeAt } from '../limits/free-at.js';
import { isoDay, parseInstant } from '../../time/parse-instant.js';
import { WEEKDAYS, type User } from '../user.js';
import { minutesOf } from './is-within-working-hours.js';
import { DAY, stretchesOf, type Stretch } from './time-zone.js';

/** How far ahead changes are looked for, in milliseconds. */
const HORIZON = 31 * DAY;

const MINUTE = 60_000;

/** Minutes of a local day, the end exclusive. */
type Span = readonly [start: number, end: number];

/** An instant, and its local day since 1970, minute of the day and date. */
interface Place {
  readonly time: number;
  readonly day: number;
  readonly minute: number;
  readonly date: string;
}

/** What is known of a user, and what users who are looked at together share. */
export interface ClockContext {
  /** The assignments of the user, newest first, in milliseconds since 1970, as limits count them. */
  readonly newest: readonly number[];
  /** The stretches of time zones at the instant; undefined for an unknown zone. */
  readonly zones?: Map<string, readonly Stretch[] | undefined>;
}

/**
 * Returns the first instant within 31 days behind `at` at which a user becomes eligible, or is no longer, by
 * the clock alone: by absences, working hours and the windows of limits. It says the same as the checks do at
 * each instant, at a small part of the cost. Undefined for none.
 */
export function nextChange(
  user: User,
  at: Date,
  { newest, zones = new Map() }: ClockContext,
): number | undefined {
  if (!user.available) return undefined;
  const [now, end] = [at.getTime(), at.getTime() + HORIZON];
  if (!zones.has(user.timezone)) zones.set(user.timezone, stretchesOf(user.timezone, now, end + 1));
  const known = zones.get(user.timezone);
  const stretches = known ?? [{ from: now, to: end + 1, offset: 0 }];
  const free = freeAt(user, at, { newest, days: stretches.flatMap(beginningsOf) });
  if (free > end) return undefined;
  const absences = absencesOf(user, { now, end, hasDays: known !== undefined });
  const isWorking = workingOf(user, known !== undefined);
  const isIn = (place: Place): boolean =>
    place.time >= free && !absences.some(({ covers }) => covers(place)) && isWorking.at(place);
  const present = isIn(placeAt(now, stretches[0]?.offset ?? 0));
  const instants = [free, ...absences.flatMap((absence) => absence.instants)];
  for (const stretch of stretches) {
    for (const { base, day } of daysOf(stretch)) {
      const edges = isWorking.edges(day).map((minute) => base + minute * MINUTE);
      const own = instants.filter((time) => time >= base && time < base + DAY);
      const points = [base, stretch.from, ...edges, ...own].filter(
        (time) => time > now && time >= stretch.from && time < stretch.to,
      );
      for (const time of points.sort((one, other) => one - other))
        if (isIn(placeAt(time, stretch.offset)) !== present) return time;
    }
  }
  return undefined;
}

function placeAt(time: number, offset: number): Place {
  const day = Math.floor((time + offset) / DAY);
  const minute = Math.floor((time + offset - day * DAY) / MINUTE);
  return { time, day, minute, date: new Date(day * DAY).toISOString().slice(0, 10) };
}

/** The local days of a stretch, each with the instant of its midnight, which may be before the stretch. */
function* daysOf({ from, to, offset }: Stretch): Generator<{ readonly day: number; readonly base: number }> {
  const last = Math.floor((to - 1 + offset) / DAY);
  for (let day = Math.floor((from + offset) / DAY); day <= last; day++)
    yield { day, base: day * DAY - offset };
}

/** The instants in a stretch at which a local day may begin. */
const beginningsOf = (stretch: Stretch): number[] =>
  [...daysOf(stretch)].map(({ base }) => Math.max(base, stretch.from));

/** An absence, and its ends that are instants. */
interface Absence {
  readonly covers: (place: Place) => boolean;
  readonly instants: readonly number[];
}

/** Reads the absences that may cover an instant from `now` to `end`. */
function absencesOf(
  { outOfOffice }: User,
  { now, end, hasDays }: { readonly now: number; readonly end: number; readonly hasDays: boolean },
): Absence[] {
  return outOfOffice.flatMap((absence): Absence[] => {
    const [first, last] = [isoDay(absence.from), isoDay(absence.to, 'last')];
    const [from, to] = [parseInstant(absence.from) ?? NaN, parseInstant(absence.to) ?? NaN];
    // No zone is further from UTC than a day, and a day ends a day behind its midnight.
    const isNear = from <= end + DAY && Date.parse(last ?? '') + 2 * DAY >= now;
    const isRelevant = last === undefined ? from <= end + DAY && to > now : isNear;
    if (!isRelevant || ((first ?? last) !== undefined && !hasDays)) return [];
    const covers = ({ time, date }: Place): boolean =>
      (first === undefined ? from <= time : first <= date) && (last === undefined ? time < to : date <= last);
    return [
      { covers, instants: [...(first === undefined ? [from] : []), ...(last === undefined ? [to] : [])] },
    ];
  });
}

/** Says when somebody works, and the minutes of a day at which that may change. */
function workingOf({ workingHours, holidays }: User, isKnown: boolean) {
  const days = new Set(holidays);
  const week = weekOf(workingHours ?? []);
  const spansOn = (day: number): readonly Span[] => week[(day + 3) % 7] ?? [];
  return {
    edges: (day: number): readonly number[] => (workingHours === null ? [] : spansOn(day).flat()),
    at: ({ day, minute, date }: Place): boolean => {
      if (workingHours === null && days.size === 0) return true;
      if (!isKnown || days.has(date)) return false;
      return workingHours === null || spansOn(day).some(([start, past]) => minute >= start && minute < past);
    },
  };
}

/** The times of each day of the week, Monday first, in their order and each once. */
function weekOf(blocks: NonNullable<User['workingHours']>): Span[][] {
  const week: [number, number][][] = WEEKDAYS.map(() => []);
  for (const { days, start: from, end: to } of blocks) {
    const [start, end] = [minutesOf(from), minutesOf(to)];
    if (Number.isNaN(start) || Number.isNaN(end)) continue;
    for (const weekday of days) {
      const index = WEEKDAYS.indexOf(weekday);
      week[index]?.push([start, end > start ? end : DAY / MINUTE]);
      if (end <= start) week[(index + 1) % 7]?.push([0, end]);
    }
  }
  return week.map((spans) => {
    const merged: [number, number][] = [];
    for (const [start, end] of spans.sort(([one], [other]) => one - other)) {
      const last = merged.at(-1);
      if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end);
      else merged.push([start, end]);
    }
    return merged;
  });
}
