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

const minute = fc
  .integer({ min: Date.parse('1971-01-01') / 60_000, max: Date.parse('2059-12-31') / 60_000 })
  .map((minutes) => minutes * 60_000);

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
          const says = /Z/.test(format);
          // Of the two times that a clock shows twice, the first one is meant.
          const isTwice = local.getPossibleOffsets().length > 1;
          const expected = isTwice && !says ? local.getPossibleOffsets()[0]! : local;
          const iso = expected.toUTC().toISO();
          expect(reader.read(` ${local.toFormat(format)}\u00a0`)).toBe(iso);
          expect(reader.read(local.toISO()!)).toBe(local.toUTC().toISO());
          for (const text of ["yyyy-MM-dd'T'HH:mm:ss", 'yyyy-MM-dd HH:mm', "yyyy-MM-dd'T'HH:mm:ss.SSS"])
            expect(reader.read(local.toFormat(text))).toBe(iso);
        },
      ),
      { numRuns: 1_000 },
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
