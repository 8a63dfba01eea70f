/** Dates and times in time zones, by what the browser knows of them. */

const MINUTE = 60_000;
const DAY = 86_400_000;
const formats = new Map<string, Intl.DateTimeFormat>();

/** A day of a calendar, as `2026-11-28`. */
export type Day = string;

export const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;

/** The zone of whoever looks. */
export function ownZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** How far the clocks of a zone are ahead of UTC at an instant, in minutes. */
export function offsetAt(instant: number, zone: string): number {
  const parts = formatOf(zone).formatToParts(instant);
  const of = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((part) => part.type === type)?.value);
  const local = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
  return Math.round((local - Math.floor(instant / 1000) * 1000) / MINUTE);
}

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const numbers = {
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  } as const;
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    ...numbers,
    second: 'numeric',
  });
  formats.set(zone, made);
  return made;
}

/** The instant at which the clocks of a zone show a time of a day: of one that comes twice, the first. */
export function instantIn(zone: string, day: Day, minutes: number): number {
  const local = Date.parse(`${day}T00:00:00Z`) + minutes * MINUTE;
  // The offset before a change decides: of a time that comes twice, the first one.
  const before = local - offsetAt(local - DAY, zone) * MINUTE;
  const guess = local - offsetAt(before, zone) * MINUTE;
  return offsetAt(guess, zone) === offsetAt(before, zone) ? guess : before;
}

/** The day and the minute of it that the clocks of a zone show. */
export function localIn(zone: string, instant: number): { day: Day; minutes: number } {
  const local = new Date(instant + offsetAt(instant, zone) * MINUTE);
  return { day: local.toISOString().slice(0, 10), minutes: local.getUTCHours() * 60 + local.getUTCMinutes() };
}

/** An instant as a field for a local time has it: `2026-11-28T14:05`. */
export function toLocalText(zone: string, instant: number): string {
  const { day, minutes } = localIn(zone, instant);
  return `${day}T${clock(minutes)}`;
}

/** The instant of what `toLocalText` returns. */
export function fromLocalText(zone: string, text: string): number {
  const [day = '', time = ''] = text.split('T');
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return instantIn(zone, day, hours * 60 + minutes);
}

export function nextDay(day: Day, days = 1): Day {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY).toISOString().slice(0, 10);
}

export function weekdayOf(day: Day): (typeof WEEKDAYS)[number] {
  return WEEKDAYS[new Date(`${day}T00:00:00Z`).getUTCDay()] ?? 'sun';
}

/** `09:30` of 570 minutes; `24:00` of a whole day. */
export function clock(minutes: number): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/** The next time within a year that the clocks of a zone change, and by how many minutes; null for none. */
export function nextChange(zone: string, from: number): { at: number; minutes: number } | null {
  const before = offsetAt(from, zone);
  let [low, high] = [from, from];
  while (offsetAt(high, zone) === before) {
    if (high - from > 366 * DAY) return null;
    [low, high] = [high, high + DAY];
  }
  while (high - low > MINUTE) {
    const middle = Math.floor((low + high) / 2 / MINUTE) * MINUTE;
    if (middle <= low) break;
    if (offsetAt(middle, zone) === before) low = middle;
    else high = middle;
  }
  const at = Math.ceil(high / MINUTE) * MINUTE;
  return { at, minutes: offsetAt(at, zone) - before };
}
