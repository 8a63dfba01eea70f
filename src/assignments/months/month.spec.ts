import { firstIdAt, timeOfId } from '../../database/index.js';
import { monthFrom, monthStart } from './month.js';

const JANUARY = '019b76da-a800-0000-0000-000000000000';

describe('a month of the log', () => {
  it('begins with the least id of its first millisecond in UTC', () => {
    expect(monthStart(new Date('2025-12-31T23:59:59.999Z'), 1)).toBe(JANUARY);
    expect(monthStart(new Date('2026-01-01T00:00:00.000Z'), 0)).toBe(JANUARY);
    expect(monthStart(new Date('2026-03-31T00:00:00.000Z'), -2)).toBe(JANUARY);
    expect(JANUARY < firstIdAt(new Date('2026-01-01T00:00:00.000Z'))).toBe(true);
    expect(JANUARY > firstIdAt(new Date('2025-12-31T23:59:59.999Z'))).toBe(true);
  });

  it('ends where the next one begins, also at the end of a year', () => {
    const december = monthFrom(monthStart(new Date(Date.UTC(2025, 11, 5)), 0));
    expect(december).toMatchObject({ name: '2025_12', to: JANUARY });
    expect(monthFrom(JANUARY).name).toBe('2026_01');
  });

  it('has no boundary that is no id, however early or late', () => {
    expect(monthStart(new Date(0), -1)).toBe('00000000-0000-0000-0000-000000000000');
    expect(monthStart(new Date(2 ** 48 - 1), 1)).toBe('ffffffff-ffff-0000-0000-000000000000');
    expect(timeOfId('ffffffff-ffff-0000-0000-000000000000')).toBe(2 ** 48 - 1);
    expect(monthStart(new Date(timeOfId(JANUARY)), 0)).toBe(JANUARY);
  });
});
