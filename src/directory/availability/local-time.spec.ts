import fc from 'fast-check';
import { storm } from '../../../test/support/storm.js';
import { WEEKDAYS } from '../user.js';
import { localTime } from './presence.js';

const read = (iso: string, zone: string) => localTime(new Date(iso), zone);

describe('localTime', () => {
  it.each([
    // zone, instant, date, weekday, minutes, previous date, previous weekday
    ['America/New_York', '2026-03-08T06:59:00Z', '2026-03-08', 'sun', 119, '2026-03-07', 'sat'],
    ['America/New_York', '2026-03-08T07:00:00Z', '2026-03-08', 'sun', 180, '2026-03-07', 'sat'],
    ['America/New_York', '2026-11-01T05:30:00Z', '2026-11-01', 'sun', 90, '2026-10-31', 'sat'],
    ['America/New_York', '2026-11-01T06:30:00Z', '2026-11-01', 'sun', 90, '2026-10-31', 'sat'],
    ['America/New_York', '2026-11-02T04:59:59.999Z', '2026-11-01', 'sun', 1439, '2026-10-31', 'sat'],
    ['Australia/Lord_Howe', '2026-04-04T14:45:00Z', '2026-04-05', 'sun', 105, '2026-04-04', 'sat'],
    ['Australia/Lord_Howe', '2026-04-04T15:15:00Z', '2026-04-05', 'sun', 105, '2026-04-04', 'sat'],
    ['Australia/Lord_Howe', '2026-10-03T15:30:00Z', '2026-10-04', 'sun', 150, '2026-10-03', 'sat'],
    ['Asia/Kolkata', '2026-02-28T18:30:00Z', '2026-03-01', 'sun', 0, '2026-02-28', 'sat'],
    ['Europe/Berlin', '2027-12-31T23:00:00Z', '2028-01-01', 'sat', 0, '2027-12-31', 'fri'],
    ['UTC', '2028-03-01T12:34:56Z', '2028-03-01', 'wed', 754, '2028-02-29', 'tue'],
  ])('reads %s at %s', (zone, at, date, weekday, minutes, previousDate, previousWeekday) => {
    expect(read(at, zone)).toEqual({
      date,
      weekday,
      minutes,
      previous: { date: previousDate, weekday: previousWeekday },
    });
  });

  it('knows no zone that is none and no instant that is none', () => {
    expect(read('2026-01-01T00:00:00Z', 'Mars/Olympus')).toBeNull();
    expect(read('nonsense', 'UTC')).toBeNull();
  });

  it('agrees with Intl at any instant and names the day before by its calendar date', () => {
    const zones = [
      'America/New_York',
      'Europe/Berlin',
      'Australia/Sydney',
      'Australia/Lord_Howe',
      'Asia/Kolkata',
    ];
    const instants = fc.integer({ min: Date.UTC(2000, 0, 1), max: Date.UTC(2040, 0, 1) });
    fc.assert(
      fc.property(instants, fc.constantFrom(...zones), (at, zone) => {
        const local = localTime(new Date(at), zone)!;
        const parts = new Map(
          new Intl.DateTimeFormat('en-GB', {
            timeZone: zone,
            dateStyle: 'short',
            timeStyle: 'short',
            hourCycle: 'h23',
          })
            .formatToParts(new Date(at))
            .map((part) => [part.type, part.value] as const),
        );
        expect(local.date).toBe(
          `${parts.get('year') ?? ''}-${parts.get('month') ?? ''}-${parts.get('day') ?? ''}`,
        );
        expect(local.minutes).toBe(Number(parts.get('hour')) * 60 + Number(parts.get('minute')));
        const day = (date: string) => new Date(`${date}T00:00:00Z`);
        expect(WEEKDAYS[(day(local.date).getUTCDay() + 6) % 7]).toBe(local.weekday);
        expect(WEEKDAYS[(day(local.previous.date).getUTCDay() + 6) % 7]).toBe(local.previous.weekday);
        expect(day(local.date).getTime() - day(local.previous.date).getTime()).toBe(86_400_000);
      }),
      { numRuns: storm(300) },
    );
  });
});
