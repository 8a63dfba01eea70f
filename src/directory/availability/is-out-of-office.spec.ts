import { isOutOfOffice } from './is-out-of-office.js';

const away = (from: string, to: string) => ({ outOfOffice: [{ from, to }] });
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
      outOfOffice: [...christmas.outOfOffice, { from: '2027-02-01T00:00:00Z', to: '2027-02-02T00:00:00Z' }],
    };
    expect(isOutOfOffice(user, at('2027-02-01T12:00:00Z'))).toBe(true);
    expect(isOutOfOffice({ outOfOffice: [] }, at('2027-02-01T12:00:00Z'))).toBe(false);
  });

  it('reads offsets, and UTC where there is none', () => {
    expect(isOutOfOffice(away('2026-05-01T00:00:00+02:00', '2026-05-02'), at('2026-04-30T22:00:00Z'))).toBe(
      true,
    );
    expect(isOutOfOffice(away('2026-05-01T00:00:00', '2026-05-01T08:00'), at('2026-05-01T07:59:00Z'))).toBe(
      true,
    );
    expect(isOutOfOffice(away('2026-05-01T00:00:00', '2026-05-01T08:00'), at('2026-05-01T08:00:00Z'))).toBe(
      false,
    );
  });

  it('covers nothing when unreadable or the wrong way round', () => {
    expect(isOutOfOffice(away('yesterday', 'tomorrow'), at('2026-05-01T00:00:00Z'))).toBe(false);
    expect(isOutOfOffice(away('2026-05-02', '2026-05-01'), at('2026-05-01T12:00:00Z'))).toBe(false);
  });
});
