import fc from 'fast-check';
import type { FieldDefinition } from '../field-definition.js';
import { DatetimeFieldType } from './datetime-field-type.js';

const type = new DatetimeFieldType();
const field: FieldDefinition = {
  objectType: 'deals',
  internalName: 'close_date',
  label: 'Close date',
  type: 'datetime',
  options: [],
  standard: true,
};

describe('DatetimeFieldType', () => {
  it.each([
    ['2026-03-01', '2026-03-01T00:00:00.000Z'],
    ['20260301', '2026-03-01T00:00:00.000Z'],
    ['2026-03', '2026-03-01T00:00:00.000Z'],
    ['2026', '2026-01-01T00:00:00.000Z'],
    ['2026-060', '2026-03-01T00:00:00.000Z'],
    ['2026060', '2026-03-01T00:00:00.000Z'],
    ['2026-W09-7', '2026-03-01T00:00:00.000Z'],
    ['2026W097', '2026-03-01T00:00:00.000Z'],
    ['2026-W09', '2026-02-23T00:00:00.000Z'],
    ['+002026-03-01', '2026-03-01T00:00:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['2026-03-01T10', '2026-03-01T10:00:00.000Z'],
    ['2026-03-01T10:20', '2026-03-01T10:20:00.000Z'],
    ['2026-03-01T10:20:30', '2026-03-01T10:20:30.000Z'],
    ['20260301T102030Z', '2026-03-01T10:20:30.000Z'],
    ['2026-03-01t10:20:30z', '2026-03-01T10:20:30.000Z'],
    ['2026-03-01T10:20:30.1Z', '2026-03-01T10:20:30.100Z'],
    ['2026-03-01T10:20:30,123456789Z', '2026-03-01T10:20:30.123Z'],
    ['2026-03-01T10:20:30+02:00', '2026-03-01T08:20:30.000Z'],
    ['2026-03-01T10:20:30-0530', '2026-03-01T15:50:30.000Z'],
    ['2026-03-01T01:00:00+02', '2026-02-28T23:00:00.000Z'],
    ['2026-03-01T24:00:00Z', '2026-03-02T00:00:00.000Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
    ['Sun, 01 Mar 2026 10:20:30 GMT', '2026-03-01T10:20:30.000Z'],
    ['Sun, 1 Mar 2026 10:20:30 +0200', '2026-03-01T08:20:30.000Z'],
    ['1 Mar 2026 10:20 EST', '2026-03-01T15:20:00.000Z'],
    ['1 Mar 2026 10:20:30 UT', '2026-03-01T10:20:30.000Z'],
    ['1 Mar 2026 10:20:30 Z', '2026-03-01T10:20:30.000Z'],
    ['1 Mar 26 10:20:30 GMT', '2026-03-01T10:20:30.000Z'],
    ['1 Mar 55 10:20:30 GMT', '1955-03-01T10:20:30.000Z'],
    ['1 Mar 126 10:20:30 GMT', '2026-03-01T10:20:30.000Z'],
    ['Sun, 1 Mar 2026 10:20:30 -0000 (comment)', '2026-03-01T10:20:30.000Z'],
    [0, '1970-01-01T00:00:00.000Z'],
    [-1, '1969-12-31T23:59:59.000Z'],
    [1_700_000_000, '2023-11-14T22:13:20.000Z'],
    [1_700_000_000.5, '2023-11-14T22:13:20.500Z'],
    [1_700_000_000_123, '2023-11-14T22:13:20.123Z'],
    [99_999_999_999, '5138-11-16T09:46:39.000Z'],
    [100_000_000_000, '1973-03-03T09:46:40.000Z'],
    [-100_000_000_000, '1966-10-31T14:13:20.000Z'],
    ['1700000000', '2023-11-14T22:13:20.000Z'],
    ['1700000000123', '2023-11-14T22:13:20.123Z'],
    ['123456789', '1973-11-29T21:33:09.000Z'],
    ['-123456789', '1966-02-02T02:26:51.000Z'],
  ])('takes %j as %j', (value, stored) => {
    expect(type.parse(value, field)).toEqual({ ok: true, value: stored });
  });

  it.each([
    ['10:30'],
    ['T10:30'],
    ['10'],
    ['1030Z'],
    ['103000.5'],
    ['1030+0200'],
    ['2026-02-30'],
    ['2026-13-01'],
    ['2025-02-29'],
    ['2025-366'],
    ['2026-W54'],
    ['202603'],
    ['2026T10:00'],
    ['2026-0301'],
    ['2026-03-01  10:20'],
    ['2026-03-01 '],
    ['2026-03-01 10:20 Z'],
    ['2026-03-01T25:00'],
    ['2026-03-01T10:20:60'],
    ['2026-03-01T10:20+24:00'],
    ['2026-03-01T10:20+01:60'],
    ['2026-03-01T10:20[Europe/Paris]'],
    ['2026-03-01Z'],
    [' 2026-03-01'],
    ['2026-03-01\0'],
    ['0000-12-31'],
    ['0001-01-01T00:00:00+01:00'],
    ['9999-12-31T23:59:59-01:00'],
    ['+010000-01-01'],
    ['-000001-01-01'],
    ['Mon, 01 Mar 2026 10:20:30 GMT'],
    ['31 Feb 2026 10:20:30 GMT'],
    ['Sun, 1 Mar 2026 10:20:30'],
    ['March 1, 2026'],
    ['3/1/2026'],
    ['1700000000.5'],
    ['12345'],
    ['1e12'],
    ['99999999999999999999'],
    ['tomorrow'],
    [' '],
    ['9'.repeat(100_000)],
    [253_402_300_800_000],
    [-62_135_596_800_001],
    [1e300],
    [NaN],
    [Infinity],
    [true],
    [[]],
    [{}],
    [new Date(0)],
    [undefined],
  ])('refuses %p', (value: unknown) => {
    const message =
      'close_date must be a date: ISO 8601, RFC 2822 or a numeric timestamp, in the years 0001 to 9999';
    expect(type.parse(value, field)).toEqual({ ok: false, message });
  });

  it('reads every instant back from each form', () => {
    const dates = fc.date({ min: new Date('1970-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });
    fc.assert(
      fc.property(dates, fc.integer({ min: -1439, max: 1439 }), (date, offset) => {
        const hours = String(Math.floor(Math.abs(offset) / 60)).padStart(2, '0');
        const minutes = String(Math.abs(offset) % 60).padStart(2, '0');
        const local = new Date(date.getTime() + offset * 60_000).toISOString().slice(0, -1);
        fc.pre(/^\d{4}-/.test(local));
        const iso = `${local}${offset < 0 ? '-' : '+'}${hours}:${minutes}`;
        expect(type.parse(iso, field)).toEqual({ ok: true, value: date.toISOString() });
        const seconds = date.toISOString().slice(0, -4).concat('000Z');
        expect(type.parse(date.toUTCString(), field)).toEqual({ ok: true, value: seconds });
        if (date.getTime() >= 1e11) {
          expect(type.parse(date.getTime(), field)).toEqual({ ok: true, value: date.toISOString() });
        }
      }),
    );
  });

  it.each([
    ['1970-01-01T00:00:00.001Z', 1],
    ['1970-01-01T01:00:00+01:00', 0],
    ['soon', undefined],
  ])('compares %j as %j', (stored, key) => {
    expect(type.comparisonKey(stored)).toBe(key);
  });
});
