import type { User } from '../api/types';
import { clock, instantIn, localIn, nextDay, weekdayOf, type Day } from './zone';

const MINUTE = 60_000;
const WHOLE = 24 * 60;

/** A part of a day, in minutes of the clocks there. */
export interface Part {
  start: number;
  end: number;
}

/** A day as one person has it. */
export interface PersonDay {
  day: Day;
  /** When they work. */
  hours: Part[];
  /** When they are away all the same: absences and holidays. */
  away: Part[];
  /** The hours as the clocks of whoever looks show them. */
  here: string[];
}

type Times = Pick<User, 'timezone' | 'working_hours' | 'out_of_office' | 'holidays'>;

/** The seven days from today on, by the calendar of the person. @param zone of whoever looks */
export function daysOf(user: Times, zone: string, now: Date): PersonDay[] {
  const today = localIn(user.timezone, now.getTime()).day;
  return Array.from({ length: 7 }, (_, index) => {
    const day = nextDay(today, index);
    const hours = hoursOn(day, user);
    return {
      day,
      hours,
      away: awayOn(day, user),
      here: hours.map((part) => inZone(zone, { day, part, user })),
    };
  });
}

/** The hours of a day, those included that began the evening before. Null: the whole day. */
function hoursOn(day: Day, { working_hours: spans }: Times): Part[] {
  if (spans === null) return [{ start: 0, end: WHOLE }];
  const [today, before] = [weekdayOf(day), weekdayOf(nextDay(day, -1))];
  const parts = spans.flatMap(({ days, start, end }) => {
    const [from, to] = [minutesOf(start), minutesOf(end)];
    const isOvernight = to <= from;
    return [
      ...(isOvernight && days.includes(before) ? [{ start: 0, end: to }] : []),
      ...(days.includes(today) ? [{ start: from, end: isOvernight ? WHOLE : to }] : []),
    ];
  });
  return parts.filter(({ start, end }) => end > start).sort((a, b) => a.start - b.start);
}

function awayOn(day: Day, { timezone, out_of_office: absences, holidays }: Times): Part[] {
  if (holidays.includes(day)) return [{ start: 0, end: WHOLE }];
  const [first, last] = [instantIn(timezone, day, 0), instantIn(timezone, nextDay(day), 0)];
  return absences.flatMap(({ from, to }) => {
    const start = Math.max(first, isDay(from) ? instantIn(timezone, from, 0) : Date.parse(from));
    const end = Math.min(last, isDay(to) ? instantIn(timezone, nextDay(to), 0) : Date.parse(to));
    if (end <= start) return [];
    const until = end === last ? WHOLE : localIn(timezone, end).minutes;
    return [{ start: localIn(timezone, start).minutes, end: until }];
  });
}

interface PartOfDay {
  day: Day;
  part: Part;
  user: Pick<User, 'timezone'>;
}

/** A part of a day as the clocks of another zone show it: `18:00–02:30 (+1)` where it is the day after. */
function inZone(zone: string, { day, part: { start, end }, user: { timezone } }: PartOfDay): string {
  const from = localIn(zone, instantIn(timezone, day, start));
  const to = localIn(zone, instantIn(timezone, day, end) - MINUTE);
  const shift = Math.round((Date.parse(from.day) - Date.parse(day)) / (WHOLE * MINUTE));
  const days = shift === 0 ? '' : ` (${shift > 0 ? '+' : '−'}${Math.abs(shift)})`;
  return `${clock(from.minutes)}–${clock(to.minutes + 1)}${days}`;
}

function minutesOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));
}

/** Whether a time of an absence is a date alone: the whole day. */
export function isDay(value: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(value);
}
