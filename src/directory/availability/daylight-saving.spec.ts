import { WEEKDAYS, type Weekday } from '../user.js';
import { isWithinWorkingHours } from './presence.js';

/** `days`, `start-end`, then instants with what is expected of each. */
type Case = [days: readonly Weekday[], hours: string, readings: [iso: string, inside: boolean][]];

function run(timezone: string, cases: Case[]): void {
  it.each(
    cases.flatMap(([days, hours, readings]) => readings.map((reading) => [hours, ...reading, days] as const)),
  )(`${timezone} %s at %s: %s`, (hours, iso, expected, days) => {
    const [start = '', end = ''] = hours.split('-');
    const user = { timezone, workingHours: [{ days, start, end }], holidays: [] };
    expect(isWithinWorkingHours(user, new Date(iso))).toBe(expected);
  });
}

describe('working hours on days when the clocks change', () => {
  describe('forward', () => {
    // 2026-03-08, 02:00 EST becomes 03:00 EDT.
    run('America/New_York', [
      [
        ['sun'],
        '09:00-17:00',
        [
          ['2026-03-08T12:59:00Z', false],
          ['2026-03-08T13:00:00Z', true],
          ['2026-03-08T20:59:00Z', true],
          ['2026-03-08T21:00:00Z', false],
        ],
      ],
      [
        ['sun'],
        '02:00-03:00',
        [
          ['2026-03-08T06:59:00Z', false],
          ['2026-03-08T07:00:00Z', false],
        ],
      ],
      [
        ['sun'],
        '02:30-04:00',
        [
          ['2026-03-08T06:59:00Z', false],
          ['2026-03-08T07:00:00Z', true],
          ['2026-03-08T08:00:00Z', false],
        ],
      ],
      [
        ['sat'],
        '22:00-06:00',
        [
          ['2026-03-08T02:59:00Z', false],
          ['2026-03-08T03:00:00Z', true],
          ['2026-03-08T09:59:00Z', true],
          ['2026-03-08T10:00:00Z', false],
        ],
      ],
    ]);
    // 2026-03-29, 02:00 CET becomes 03:00 CEST.
    run('Europe/Berlin', [
      [
        ['sun'],
        '08:00-12:00',
        [
          ['2026-03-29T05:59:00Z', false],
          ['2026-03-29T06:00:00Z', true],
          ['2026-03-29T10:00:00Z', false],
        ],
      ],
      [
        ['sat'],
        '20:00-02:30',
        [
          ['2026-03-29T00:59:00Z', true],
          ['2026-03-29T01:00:00Z', false],
        ],
      ],
      [
        ['sun'],
        '22:00-06:00',
        [
          ['2026-03-29T19:59:00Z', false],
          ['2026-03-29T20:00:00Z', true],
          ['2026-03-30T03:59:00Z', true],
          ['2026-03-30T04:00:00Z', false],
        ],
      ],
    ]);
    // 2026-10-04, 02:00 AEST becomes 03:00 AEDT.
    run('Australia/Sydney', [
      [
        ['sun'],
        '09:00-17:00',
        [
          ['2026-10-03T21:59:00Z', false],
          ['2026-10-03T22:00:00Z', true],
          ['2026-10-04T06:00:00Z', false],
        ],
      ],
      [
        ['sat'],
        '23:00-07:00',
        [
          ['2026-10-03T12:59:00Z', false],
          ['2026-10-03T13:00:00Z', true],
          ['2026-10-03T19:59:00Z', true],
          ['2026-10-03T20:00:00Z', false],
        ],
      ],
    ]);
    // 2026-10-04, 02:00 becomes 02:30: half an hour.
    run('Australia/Lord_Howe', [
      [
        ['sun'],
        '02:00-03:00',
        [
          ['2026-10-03T15:29:00Z', false],
          ['2026-10-03T15:30:00Z', true],
          ['2026-10-03T15:59:00Z', true],
          ['2026-10-03T16:00:00Z', false],
        ],
      ],
      [
        ['sat'],
        '22:00-02:15',
        [
          ['2026-10-03T15:29:00Z', true],
          ['2026-10-03T15:30:00Z', false],
        ],
      ],
    ]);
  });

  describe('back', () => {
    // 2026-11-01, 02:00 EDT becomes 01:00 EST: 01:00 to 02:00 is read twice.
    run('America/New_York', [
      [
        ['sun'],
        '01:00-02:00',
        [
          ['2026-11-01T04:59:00Z', false],
          ['2026-11-01T05:00:00Z', true],
          ['2026-11-01T06:30:00Z', true],
          ['2026-11-01T06:59:00Z', true],
          ['2026-11-01T07:00:00Z', false],
        ],
      ],
      [
        ['sat'],
        '22:00-01:30',
        [
          ['2026-11-01T05:29:00Z', true],
          ['2026-11-01T05:30:00Z', false],
          ['2026-11-01T06:00:00Z', true],
          ['2026-11-01T06:30:00Z', false],
        ],
      ],
      [
        ['sun'],
        '09:00-17:00',
        [
          ['2026-11-01T13:59:00Z', false],
          ['2026-11-01T14:00:00Z', true],
          ['2026-11-01T22:00:00Z', false],
        ],
      ],
    ]);
    // 2026-10-25, 03:00 CEST becomes 02:00 CET.
    run('Europe/Berlin', [
      [
        ['sat'],
        '22:00-06:00',
        [
          ['2026-10-24T20:00:00Z', true],
          ['2026-10-25T00:30:00Z', true],
          ['2026-10-25T01:30:00Z', true],
          ['2026-10-25T04:59:00Z', true],
          ['2026-10-25T05:00:00Z', false],
        ],
      ],
      [
        ['sun'],
        '02:00-03:00',
        [
          ['2026-10-24T23:59:00Z', false],
          ['2026-10-25T00:00:00Z', true],
          ['2026-10-25T01:59:00Z', true],
          ['2026-10-25T02:00:00Z', false],
        ],
      ],
    ]);
    // 2026-04-05, 03:00 AEDT becomes 02:00 AEST.
    run('Australia/Sydney', [
      [
        ['sun'],
        '02:30-03:00',
        [
          ['2026-04-04T15:29:00Z', false],
          ['2026-04-04T15:30:00Z', true],
          ['2026-04-04T16:00:00Z', false],
          ['2026-04-04T16:30:00Z', true],
          ['2026-04-04T17:00:00Z', false],
        ],
      ],
      [
        ['sat'],
        '18:00-18:00',
        [
          ['2026-04-04T06:59:00Z', false],
          ['2026-04-04T07:00:00Z', true],
          ['2026-04-05T07:59:00Z', true],
          ['2026-04-05T08:00:00Z', false],
        ],
      ],
    ]);
    // 2026-04-05, 02:00 becomes 01:30: half an hour.
    run('Australia/Lord_Howe', [
      [
        ['sun'],
        '01:30-02:00',
        [
          ['2026-04-04T14:29:00Z', false],
          ['2026-04-04T14:30:00Z', true],
          ['2026-04-04T15:00:00Z', true],
          ['2026-04-04T15:29:00Z', true],
          ['2026-04-04T15:30:00Z', false],
        ],
      ],
    ]);
  });

  describe('never', () => {
    run('Asia/Kolkata', [
      [
        ['sun'],
        '09:00-17:30',
        [
          ['2026-03-29T03:29:00Z', false],
          ['2026-03-29T03:30:00Z', true],
          ['2026-03-29T12:00:00Z', false],
        ],
      ],
      [
        ['sat'],
        '22:00-06:00',
        [
          ['2026-10-24T16:30:00Z', true],
          ['2026-10-25T00:29:00Z', true],
          ['2026-10-25T00:30:00Z', false],
        ],
      ],
    ]);
  });

  it('keeps a 24-hour block on every day inside through both changes', () => {
    const user = {
      timezone: 'Europe/Berlin',
      workingHours: [{ days: WEEKDAYS, start: '00:00', end: '24:00' }],
      holidays: [],
    };
    for (const day of ['2026-03-29', '2026-10-25']) {
      for (let minute = -120; minute < 1680; minute += 10) {
        const at = new Date(Date.parse(`${day}T00:00:00Z`) + minute * 60_000);
        expect(isWithinWorkingHours(user, at)).toBe(true);
      }
    }
  });
});
