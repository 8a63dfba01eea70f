import { firstIdAt } from '../database/index.js';
import { likelyRange, liesIn, wholeRange } from './log-range.js';
import { monthStart } from './months/month.js';

const NOW = Date.parse('2026-06-10T12:00:00Z');
const LEAST = '00000000-0000-0000-0000-000000000000';
const GREATEST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
const start = (month: string): string => monthStart(new Date(month), 0);
const at = (instant: string): string => firstIdAt(new Date(instant));

describe('the months in which a page is looked for', () => {
  it('are the last two', () => {
    const from = start('2026-05');
    const nothing = { object: undefined, behind: undefined };
    expect(likelyRange(nothing, NOW)).toEqual({ counted: from, from, to: GREATEST });
  });

  it('end behind the entry after which it starts, and begin in the month before that', () => {
    const behind = at('2025-03-01T00:00:00Z');
    expect(likelyRange({ object: undefined, behind }, NOW)).toEqual({
      counted: start('2026-05'),
      from: start('2025-02'),
      to: behind,
    });
    expect(likelyRange({ object: undefined, behind: LEAST }, NOW)).toMatchObject({ from: LEAST, to: LEAST });
  });

  it('begin a day before the record whose entries are listed, where its id has the time', () => {
    const from = at('2026-01-31T08:00:00Z');
    const object = at('2026-02-01T08:00:00Z');
    expect(likelyRange({ object, behind: undefined }, NOW)).toEqual({ counted: from, from, to: GREATEST });
    const behind = at('2026-03-01T08:00:00Z');
    expect(likelyRange({ object, behind }, NOW)).toEqual({ counted: from, from, to: behind });
    const random = 'b0d1c2e3-1111-4abc-8def-000000000000';
    expect(likelyRange({ object: random, behind: undefined }, NOW)).toMatchObject({ counted: LEAST });
  });
});

it('a range lies in another where none of its ids is outside', () => {
  const range = { counted: '3', from: '2', to: '8' };
  expect(liesIn(range, range)).toBe(true);
  expect(liesIn(range, wholeRange({ behind: undefined }))).toBe(true);
  expect(liesIn(range, wholeRange({ behind: '7' }))).toBe(false);
  for (const other of [{ counted: '4' }, { from: '3' }, { to: '7' }])
    expect(liesIn(range, { ...range, ...other })).toBe(false);
});
