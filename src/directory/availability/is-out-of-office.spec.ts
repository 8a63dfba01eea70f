import { isOutOfOffice } from './presence.js';

const away = (from: string, to: string, timezone = 'UTC') => ({ timezone, outOfOffice: [{ from, to }] });
const at = (iso: string) => new Date(iso);

describe('isOutOfOffice', () => {
  const christmas = away('2026-12-24T00:00:00Z', '2026-12-27T00:00:00Z');

  it.each([
    ['2026-12-23T23:59:59.999Z', false],
    ['2026-12-24T00:00:00.000Z', true],
    ['2026-12-26T23:59:59.999Z', true],
    ['2026-12-27T00:00:00.000Z', false],
  ])('from is inclusive and to exclusive: %s', (instant, expected) => {
    expect(isOutOfOffice(christmas, at(instant))).toBe(expected);
  });

  it('weighs every absence', () => {
    const user = {
      timezone: 'UTC',
      outOfOffice: [...christmas.outOfOffice, { from: '2027-02-01T00:00:00Z', to: '2027-02-02T00:00:00Z' }],
    };
    expect(isOutOfOffice(user, at('2027-02-01T12:00:00Z'))).toBe(true);
    expect(isOutOfOffice({ timezone: 'UTC', outOfOffice: [] }, at('2027-02-01T12:00:00Z'))).toBe(false);
  });

  it('reads offsets, and UTC where there is none', () => {
    expect(
      isOutOfOffice(away('2026-05-01T00:00:00+02:00', '2026-05-02T00'), at('2026-04-30T22:00:00Z')),
    ).toBe(true);
    expect(isOutOfOffice(away('2026-05-01T00:00:00', '2026-05-01T08:00'), at('2026-05-01T07:59:00Z'))).toBe(
      true,
    );
    expect(isOutOfOffice(away('2026-05-01T00:00:00', '2026-05-01T08:00'), at('2026-05-01T08:00:00Z'))).toBe(
      false,
    );
  });

  it.each([
    ['20261224T000000Z', '20261227T000000Z'],
    ['2026-12-24T00Z', '2026-12-27T00:00:00,000Z'],
    ['2026-358T00:00:00Z', '2026-W52-7T00:00Z'],
    ['2026-12-24 00:00', '2026-12-27 00:00'],
  ])('reads every form of ISO 8601: %s to %s', (from, to) => {
    const reads = (instant: string) => isOutOfOffice(away(from, to), at(instant));
    expect(reads('2026-12-23T23:59:59.999Z')).toBe(false);
    expect(reads('2026-12-24T00:00:00Z')).toBe(true);
    expect(reads('2026-12-26T23:59:59.999Z')).toBe(true);
    expect(reads('2026-12-27T00:00:00Z')).toBe(false);
  });

  it.each([
    ['2026-12-24', '2026-12-24', 'America/New_York', '2026-12-24T05:00:00Z', '2026-12-25T05:00:00Z'],
    ['2026-12-24', '2026-12-26', 'Asia/Kolkata', '2026-12-23T18:30:00Z', '2026-12-26T18:30:00Z'],
    ['2026-W52-4', '20261226', 'UTC', '2026-12-24T00:00:00Z', '2026-12-27T00:00:00Z'],
    ['2026-10-25', '2026-10-25', 'Europe/Berlin', '2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z'],
    ['2026-W52', '2026-W52', 'UTC', '2026-12-21T00:00:00Z', '2026-12-28T00:00:00Z'],
    ['2026-12', '2027', 'UTC', '2026-12-01T00:00:00Z', '2028-01-01T00:00:00Z'],
    ['2026-12-24T12:00:00Z', '2026-12-24', 'Europe/Berlin', '2026-12-24T12:00:00Z', '2026-12-24T23:00:00Z'],
  ])('takes dates alone for local days, to included: %s to %s in %s', (from, to, zone, begins, ends) => {
    const reads = (instant: number) => isOutOfOffice(away(from, to, zone), new Date(instant));
    expect(reads(Date.parse(begins) - 1)).toBe(false);
    expect(reads(Date.parse(begins))).toBe(true);
    expect(reads(Date.parse(ends) - 1)).toBe(true);
    expect(reads(Date.parse(ends))).toBe(false);
  });

  it('covers nothing when unreadable or the wrong way round', () => {
    expect(isOutOfOffice(away('yesterday', 'tomorrow'), at('2026-05-01T00:00:00Z'))).toBe(false);
    expect(isOutOfOffice(away('2026-05-02', '2026-05-01'), at('2026-05-01T12:00:00Z'))).toBe(false);
  });
});
