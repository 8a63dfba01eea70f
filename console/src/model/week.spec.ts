import fc from 'fast-check';
import { DateTime } from 'luxon';
import { daysOf } from './week';
import { fromLocalText, instantIn, localIn, nextChange, offsetAt, toLocalText } from './zone';

const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'Africa/Casablanca',
];
const instants = fc.integer({ min: Date.UTC(2025, 0, 1) / 60_000, max: Date.UTC(2028, 0, 1) / 60_000 });

it('offsets, local times and instants are those that the service has by luxon', () => {
  fc.assert(
    fc.property(fc.constantFrom(...ZONES), instants, (zone, minute) => {
      const at = DateTime.fromMillis(minute * 60_000, { zone });
      expect(offsetAt(at.toMillis(), zone)).toBe(at.offset);
      expect(localIn(zone, at.toMillis())).toEqual({
        day: at.toISODate(),
        minutes: at.hour * 60 + at.minute,
      });
      const text = toLocalText(zone, at.toMillis());
      expect(text).toBe(at.toFormat("yyyy-MM-dd'T'HH:mm"));
      expect(toLocalText(zone, fromLocalText(zone, text))).toBe(text);
      const back = instantIn(zone, at.toISODate()!, at.hour * 60 + at.minute);
      expect(DateTime.fromMillis(back, { zone }).toFormat('f')).toBe(at.toFormat('f'));
    }),
  );
});

it('the next change of the clocks is the minute at which the offset changes', () => {
  const from = Date.parse('2026-11-28T17:24:31Z');
  expect(nextChange('Europe/Berlin', from)).toEqual({ at: Date.parse('2027-03-28T01:00:00Z'), minutes: 60 });
  expect(nextChange('America/New_York', from)).toEqual({
    at: Date.parse('2027-03-14T07:00:00Z'),
    minutes: 60,
  });
  expect(nextChange('Australia/Lord_Howe', from)?.minutes).toBe(-30);
  expect(nextChange('Asia/Tokyo', from)).toBeNull();
});

const user = {
  timezone: 'America/New_York',
  working_hours: [
    { days: ['mon' as const, 'tue' as const], start: '09:00', end: '17:30' },
    { days: ['sat' as const], start: '22:00', end: '06:00' },
  ],
  out_of_office: [{ from: '2026-12-01', to: '2026-12-02' }],
  holidays: [],
};
const NOW = new Date('2026-11-28T17:24:00Z');

it('a week has hours past midnight on both days, absences, and the hours here', () => {
  const days = daysOf(user, 'Europe/Berlin', NOW);
  expect(days.map(({ day }) => day).slice(0, 2)).toEqual(['2026-11-28', '2026-11-29']);
  expect(days[0]).toMatchObject({ hours: [{ start: 1320, end: 1440 }], here: ['04:00–06:00 (+1)'] });
  expect(days[1]).toMatchObject({ hours: [{ start: 0, end: 360 }], here: ['06:00–12:00'] });
  expect(days[2]).toMatchObject({ hours: [{ start: 540, end: 1050 }], here: ['15:00–23:30'], away: [] });
  expect(days[3]?.away).toEqual([{ start: 0, end: 1440 }]);
});

it('an absence of some hours is a part of the day, and no hours are all of it', () => {
  const some = { from: '2026-11-28T20:00:00Z', to: '2026-11-28T21:30:00Z' };
  const [day] = daysOf({ ...user, working_hours: null, out_of_office: [some] }, 'UTC', NOW);
  expect(day).toMatchObject({ hours: [{ start: 0, end: 1440 }], away: [{ start: 900, end: 990 }] });
});
