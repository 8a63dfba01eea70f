import fc from 'fast-check';
import { storm } from '../../../test/support/storm.js';
import { limitWindows } from '../limits/limit-windows.js';
import { WEEKDAYS, type User } from '../user.js';
import { isOutOfOffice, isWithinWorkingHours, localTime } from './presence.js';
import { nextChange } from './next-change.js';

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;
/** Days of which each minute is looked at. */
const LOOKED_AT = storm(14, 2);

/** Around these instants the clocks of the zones change: by an hour, by half of one, at midnight. */
const ZONES = [
  ['Europe/Berlin', '2026-03-29T01:00Z'], ['Europe/Berlin', '2026-10-25T01:00Z'], ['America/New_York', '2026-11-01T06:00Z'],
  ['Australia/Lord_Howe', '2026-04-04T15:00Z'], ['Australia/Lord_Howe', '2026-10-03T15:30Z'], ['America/Havana', '2026-03-08T05:00Z'],
  ['America/Havana', '2026-11-01T05:00Z'], ['Asia/Beirut', '2026-03-28T22:00Z'], ['Asia/Kathmandu', '2026-06-01T00:00Z'],
  ['Africa/Casablanca', '2026-02-15T02:00Z'], ['Pacific/Apia', '2011-12-30T10:00Z'], ['UTC', '2026-06-01T00:00Z'], ['Mars/Olympus', '2026-06-01T00:00Z'],
] as const; // prettier-ignore

const two = (n: number): string => String(n).padStart(2, '0');
const time = fc
  .tuple(fc.nat({ max: 23 }), fc.constantFrom(0, 15, 30, 59))
  .map(([h, m]) => `${two(h)}:${two(m)}`);
const block = fc.record({
  days: fc.uniqueArray(fc.constantFrom(...WEEKDAYS), { minLength: 1 }),
  start: time,
  end: fc.oneof(time, fc.constant('24:00')),
});
const limits = fc.record(
  { hour: fc.nat({ max: 3 }), day: fc.nat({ max: 4 }), week: fc.nat({ max: 5 }), month: fc.nat({ max: 6 }),
    window: fc.constantFrom('rolling' as const, 'calendar' as const) },
  { requiredKeys: [] },
); // prettier-ignore

/** Days and minutes around the instant at which a clock changes. */
const minutes = fc.integer({ min: -4 * 1_440, max: 6 * 1_440 });
const end = fc.record({ minutes, isDay: fc.boolean() });
const user = fc.record({
  zone: fc.constantFrom(...ZONES),
  at: fc.integer({ min: -2 * 1_440, max: 1_440 }),
  workingHours: fc.option(fc.array(block, { maxLength: 4 }), { nil: null, freq: 3 }),
  absences: fc.array(fc.tuple(end, end), { maxLength: 3 }),
  holidays: fc.array(minutes, { maxLength: 2 }),
  limits: fc.option(limits, { nil: null }),
  assigned: fc.array(fc.nat({ max: 30 * 1_440 }), { maxLength: 12 }),
});

const SPANS = ['hour', 'day', 'week', 'month'] as const;

function hasRoom(of: User, newest: readonly number[], at: Date): boolean {
  if (of.limits === null) return true;
  const since = limitWindows(of, at);
  return SPANS.every((span) => {
    const used = newest.filter((each) => each >= since[span]).length;
    return used < (of.limits?.[span] ?? Infinity);
  });
}

function isIn(of: User, newest: readonly number[], at: Date): boolean {
  const clock = localTime(at, of.timezone);
  const read = () => clock;
  return !isOutOfOffice(of, at, read) && isWithinWorkingHours(of, at, read) && hasRoom(of, newest, at);
}

describe('the next change of who is eligible', () => {
  it('is the first one that the checks find, minute by minute, also where clocks change [contract 6]', () => {
    fc.assert(
      fc.property(user, ({ zone: [timezone, around], absences, holidays, assigned, ...given }) => {
        const middle = Date.parse(around);
        const instant = (n: number) => new Date(middle + n * MINUTE).toISOString();
        const endOf = ({ minutes: n, isDay }: { minutes: number; isDay: boolean }) =>
          isDay ? instant(n).slice(0, 10) : instant(n);
        const of: User = {
          id: 'id', email: 'ada@acme.test', name: null, timezone, available: true,
          workingHours: given.workingHours, limits: given.limits,
          outOfOffice: absences.map(([one, other]) => {
            const [from, to] = [one, other].sort((a, b) => a.minutes - b.minutes);
            return { from: endOf(from!), to: endOf(to!) };
          }),
          holidays: holidays.map((n) => instant(n).slice(0, 10)),
        }; // prettier-ignore
        const now = middle + given.at * MINUTE;
        const newest = assigned.map((ago) => now - ago * MINUTE).sort((a, b) => b - a);
        const at = (place: number): boolean => isIn(of, newest, new Date(place));
        const found = nextChange(of, new Date(now), newest);
        const present = at(now);
        const end = now + LOOKED_AT * DAY;
        for (let place = now + MINUTE; place < Math.min(found ?? end, end); place += MINUTE) {
          if (at(place) !== present)
            throw new Error(`${new Date(place).toISOString()} is not ${String(found)}`);
        }
        if (found === undefined) return;
        expect([at(found - 1), at(found)]).toEqual([present, !present]);
      }),
      { numRuns: storm(250, 15) },
    );
  });

  it.each([
    [{ available: false }, null],
    [{ workingHours: [] }, null],
    [{ workingHours: null }, null],
    [{ limits: { day: 0 } }, null],
    [{ outOfOffice: [{ from: '2026-01-01', to: '2026-12-31' }] }, null],
    [{ outOfOffice: [{ from: '2026-06-01', to: '2026-06-10' }] }, '2026-06-10T22:00:00.000Z'],
    [{ workingHours: [{ days: ['wed'], start: '09:00', end: '17:30' }] }, '2026-06-10T15:30:00.000Z'],
    [{ workingHours: [{ days: ['mon'], start: '22:00', end: '06:00' }] }, '2026-06-15T20:00:00.000Z'],
  ] as const)('of %j is %s [contract 6]', (values, expected) => {
    const ada = {
      id: 'id', email: 'ada@acme.test', name: null, timezone: 'Europe/Berlin', available: true,
      workingHours: null, limits: null, outOfOffice: [], holidays: [],
    }; // prettier-ignore
    const found = nextChange({ ...ada, ...values }, new Date('2026-06-10T12:00:00Z'), []);
    expect(found === undefined ? null : new Date(found).toISOString()).toBe(expected);
  });
});
