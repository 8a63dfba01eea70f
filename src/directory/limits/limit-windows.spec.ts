import type { AssignmentLimits } from '../user.js';
import { limitWindows } from './limit-windows.js';

const windows = (iso: string, timezone = 'UTC', limits: AssignmentLimits | null = { window: 'calendar' }) => {
  const { hour, day, week, month } = limitWindows({ timezone, limits }, new Date(iso));
  return [hour, day, week, month].map((start) => new Date(start).toISOString().replace('.000Z', 'Z'));
};

describe('rolling windows', () => {
  it.each([[null], [{}], [{ window: 'rolling' as const, day: 5 }]])('count back from now: %j', (limits) => {
    // The clocks go forward in Berlin in this night.
    expect(windows('2026-03-29T10:15:30Z', 'Europe/Berlin', limits)).toEqual([
      '2026-03-29T09:15:30Z',
      '2026-03-28T10:15:30Z',
      '2026-03-22T10:15:30Z',
      '2026-02-27T10:15:30Z',
    ]);
  });
});

describe('calendar windows', () => {
  it.each([
    [
      'UTC',
      '2026-06-10T12:34:56Z',
      ['2026-06-10T12:00:00Z', '2026-06-10T00:00:00Z', '2026-06-08T00:00:00Z', '2026-06-01T00:00:00Z'],
    ],
    // Local time is Monday, 00:30.
    [
      'Asia/Kolkata',
      '2026-05-31T19:00:00Z',
      ['2026-05-31T18:30:00Z', '2026-05-31T18:30:00Z', '2026-05-31T18:30:00Z', '2026-05-31T18:30:00Z'],
    ],
    // The week begins in the month before, and before the change to summer time.
    [
      'Europe/Berlin',
      '2026-04-02T10:00:00Z',
      ['2026-04-02T10:00:00Z', '2026-04-01T22:00:00Z', '2026-03-29T22:00:00Z', '2026-03-31T22:00:00Z'],
    ],
    [
      'Europe/Berlin',
      '2026-03-29T10:00:00Z',
      ['2026-03-29T10:00:00Z', '2026-03-28T23:00:00Z', '2026-03-22T23:00:00Z', '2026-02-28T23:00:00Z'],
    ],
    // Local time is the second 01:30, so the hour is the second one.
    [
      'America/New_York',
      '2026-11-01T06:30:00Z',
      ['2026-11-01T06:00:00Z', '2026-11-01T04:00:00Z', '2026-10-26T04:00:00Z', '2026-11-01T04:00:00Z'],
    ],
    // Midnight occurs twice in Havana: day and month begin at the first one.
    [
      'America/Havana',
      '2026-11-01T17:00:00Z',
      ['2026-11-01T17:00:00Z', '2026-11-01T04:00:00Z', '2026-10-26T04:00:00Z', '2026-11-01T04:00:00Z'],
    ],
    // There is no midnight in Santiago: the clocks go from 24:00 to 01:00.
    [
      'America/Santiago',
      '2026-09-06T12:00:00Z',
      ['2026-09-06T12:00:00Z', '2026-09-06T04:00:00Z', '2026-08-31T04:00:00Z', '2026-09-01T04:00:00Z'],
    ],
    [
      'Mars/Olympus',
      '2026-06-10T12:34:56Z',
      ['2026-06-10T12:00:00Z', '2026-06-10T00:00:00Z', '2026-06-08T00:00:00Z', '2026-06-01T00:00:00Z'],
    ],
  ])('begin on the calendar of %s: %s', (timezone, iso, expected) => {
    expect(windows(iso, timezone)).toEqual(expected);
  });

  it('never begin after the instant, nor further back than they are long', () => {
    const longest = [1.5, 25, 7 * 24 + 1, 31 * 24 + 1].map((hours) => hours * 3_600_000);
    for (const timezone of ['Australia/Lord_Howe', 'Africa/Cairo', 'America/Havana', 'Pacific/Apia']) {
      for (let hour = 0; hour < 366 * 24; hour += 7) {
        const at = new Date(Date.UTC(2026, 0, 1) + hour * 3_600_000 + 60_000 * (hour % 60));
        const { hour: h, day, week, month } = limitWindows({ timezone, limits: { window: 'calendar' } }, at);
        for (const [index, start] of [h, day, week, month].entries()) {
          const age = at.getTime() - start;
          if (age < 0 || age > longest[index]!) throw new Error(`${timezone} ${at.toISOString()} ${index}`);
        }
      }
    }
  });
});
