import fc from 'fast-check';
import { DateTime } from 'luxon';
import { DateReader } from './date-reader.js';

const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe'];
/** Formats to the minute; those with a zone say which instant they mean. */
const FORMATS = [
  'dd/MM/yyyy HH:mm',
  'MM/dd/yyyy hh:mm a',
  'd-MMM-yyyy H:m',
  "EEE, d MMMM yyyy 'at' HH:mm",
  'yyyyMMddHHmm',
  'dd.MM.yyyy HH:mm ZZ',
  'M/d/yyyy h:mm:ss a Z',
];

const minutes = (from: string, to: string): fc.Arbitrary<number> =>
  fc.integer({ min: Date.parse(from) / 60_000, max: Date.parse(to) / 60_000 });
/** Any minute, or one about which the clocks of a zone are changed. */
const minute = fc
  .oneof(
    minutes('1971-01-01', '2059-12-31'),
    minutes('1983-09-24T22:00Z', '1983-09-25T04:00Z'),
    minutes('2034-11-05T03:00Z', '2034-11-05T09:00Z'),
    minutes('2026-04-04T13:00Z', '2026-04-04T18:00Z'),
  )
  .map((each) => each * 60_000);

describe('A date in a cell', () => {
  it('is the instant that was written, in any format and zone, or in ISO 8601 beside it [contract 7]', () => {
    fc.assert(
      fc.property(
        minute,
        fc.constantFrom(...ZONES),
        fc.constantFrom(...FORMATS),
        (instant, timezone, format) => {
          const reader = new DateReader({ format, timezone });
          const local = DateTime.fromMillis(instant, { zone: timezone, locale: 'en' });
          const exact = local.toUTC().toISO();
          // Of two instants at which a clock shows the same, the first one is meant.
          const iso = local.getPossibleOffsets()[0]!.toUTC().toISO();
          expect(reader.read(` ${local.toFormat(format)}\u00a0`)).toBe(/Z/.test(format) ? exact : iso);
          expect(reader.read(local.toISO()!)).toBe(exact);
          for (const text of ["yyyy-MM-dd'T'HH:mm:ss", 'yyyy-MM-dd HH:mm', "yyyy-MM-dd'T'HH:mm:ss.SSS"])
            expect(reader.read(local.toFormat(text))).toBe(iso);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('is midnight of the zone where it has no time, and as written where it has an offset [contract 7]', () => {
    const reader = new DateReader({ timezone: 'Europe/Berlin', format: 'd-MMM-yy' });
    expect(reader.read('01-Sep-08')).toBe('2008-08-31T22:00:00.000Z');
    expect(reader.read('2008-09-01')).toBe('2008-08-31T22:00:00.000Z');
    expect(reader.read('2008-09-01T00:00Z')).toBe('2008-09-01T00:00:00.000Z');
    expect(reader.read('Mon, 01 Sep 2008 00:00:00 GMT')).toBe('2008-09-01T00:00:00.000Z');
    expect(new DateReader({ timezone: 'Europe/Berlin' }).read('1700000000000')).toBe(
      '2023-11-14T22:13:20.000Z',
    );
  });

  it.each([
    ['2026-04-24', 'Africa/Cairo', '2026-04-23T22:00:00.000Z'],
    ['2026-09-06', 'America/Santiago', '2026-09-06T04:00:00.000Z'],
    ['2026-03-08', 'America/Havana', '2026-03-08T05:00:00.000Z'],
    // Clocks show midnight twice.
    ['2026-11-01', 'America/Havana', '2026-11-01T04:00:00.000Z'],
  ])(
    'is the first instant of %s in %s, which has no midnight or two [contract 7]',
    (day, timezone, instant) => {
      const [year, month, date] = day.split('-');
      expect(new DateReader({ timezone }).read(day)).toBe(instant);
      expect(new DateReader({ timezone, format: 'd.M.yyyy' }).read(`${date}.${month}.${year}`)).toBe(instant);
      const reader = new DateReader({ timezone, format: 'd.M.yyyy H:mm' });
      if (date !== '01') expect(reader.read(`${date}.${month}.${year} 0:00`)).toBeUndefined();
    },
  );

  it.each([
    ['30/02/2026', {}],
    ['07/30/2023', {}],
    ['2026-13-01', {}],
    // Digits are no timestamp where dates have a format.
    ['1700000000000', {}],
    ['29/03/2026 02:30', { format: 'dd/MM/yyyy HH:mm', timezone: 'Europe/Berlin' }],
    ['2026-03-29T02:30', { timezone: 'Europe/Berlin' }],
    ['9'.repeat(1_000_000), {}],
  ])('is refused where there is no such date: %.30s %j [contract 7]', (text, rules) =>
    expect(new DateReader({ format: 'dd/MM/yyyy', ...rules }).read(text)).toBeUndefined(),
  );
});

describe('A format of dates', () => {
  it.each([
    ['DD/MM/YYYY', 'has DD. A format has yyyy yy y'],
    ['dd/mm/yyyy', 'has no month: MMMM MMM MM M (mm is the minute)'],
    ['MM/yyyy', 'has no day'],
    ['dd/MM/yyyy d', 'has two of dd d'],
    ['dd/MM/yyyy HH:mm a', 'must have h or hh with a'],
    ['dd/MM/yyyy hh:mm', 'must have h or hh with a'],
    ["dd/MM/'yyyy'", 'has no year'],
  ])('that cannot be read surely is refused at once: %s [contract 7]', (format, message) =>
    expect(() => new DateReader({ format })).toThrow(message),
  );

  it('has a zone that there is [contract 7]', () =>
    expect(() => new DateReader({ timezone: 'Berlin' })).toThrow('--timezone must be an IANA zone'));
});
