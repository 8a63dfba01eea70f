import { WEEKDAYS, type WorkingHours } from '../user.js';
import { isWithinWorkingHours } from './presence.js';

const WEEK = ['mon', 'tue', 'wed', 'thu', 'fri'] as const;
const block = (start: string, end: string, days: WorkingHours['days'] = WEEKDAYS): WorkingHours => ({
  days,
  start,
  end,
});
const user = (timezone: string, workingHours: WorkingHours[] | null, holidays: string[] = []) => ({
  timezone,
  workingHours,
  holidays,
});
const inside = (who: ReturnType<typeof user>, iso: string) => isWithinWorkingHours(who, new Date(iso));

describe('isWithinWorkingHours', () => {
  it('is always inside without working hours, never with an empty list', () => {
    expect(inside(user('UTC', null), '2026-01-01T03:00:00Z')).toBe(true);
    expect(inside(user('UTC', []), '2026-01-01T12:00:00Z')).toBe(false);
  });

  it.each([
    ['2026-01-05T08:59:59.999Z', false],
    ['2026-01-05T09:00:00.000Z', true],
    ['2026-01-05T17:29:59.999Z', true],
    ['2026-01-05T17:30:00.000Z', false],
    ['2026-01-04T12:00:00.000Z', false],
  ])('start is inclusive, end exclusive, on listed days only: %s', (at, expected) => {
    expect(inside(user('UTC', [block('09:00', '17:30', WEEK)]), at)).toBe(expected);
  });

  it('weighs every block', () => {
    const split = user('UTC', [block('08:00', '12:00'), block('13:00', '17:00')]);
    expect(inside(split, '2026-01-05T11:59:00Z')).toBe(true);
    expect(inside(split, '2026-01-05T12:30:00Z')).toBe(false);
    expect(inside(split, '2026-01-05T13:00:00Z')).toBe(true);
  });

  describe('blocks past midnight', () => {
    const night = user('UTC', [block('22:00', '06:00', ['fri'])]); // 2026-01-02 is a Friday

    it.each([
      ['2026-01-02T05:00:00Z', false],
      ['2026-01-02T21:59:00Z', false],
      ['2026-01-02T22:00:00Z', true],
      ['2026-01-03T05:59:00Z', true],
      ['2026-01-03T06:00:00Z', false],
      ['2026-01-03T22:00:00Z', false],
      ['2026-01-04T05:00:00Z', false],
    ])('belong to the day they start on: %s', (at, expected) => {
      expect(inside(night, at)).toBe(expected);
    });

    it('are a full 24 hours when end equals start', () => {
      const duty = user('UTC', [block('08:00', '08:00', ['fri'])]);
      expect(inside(duty, '2026-01-02T07:59:00Z')).toBe(false);
      expect(inside(duty, '2026-01-02T08:00:00Z')).toBe(true);
      expect(inside(duty, '2026-01-03T07:59:00Z')).toBe(true);
      expect(inside(duty, '2026-01-03T08:00:00Z')).toBe(false);
      const day = user('UTC', [block('00:00', '00:00', ['fri'])]);
      expect(inside(day, '2026-01-02T00:00:00Z')).toBe(true);
      expect(inside(day, '2026-01-02T23:59:00Z')).toBe(true);
      expect(inside(day, '2026-01-03T00:00:00Z')).toBe(false);
    });

    it.each(['24:00', '00:00'])('end at midnight with %s', (end) => {
      const late = user('UTC', [block('18:00', end, ['fri'])]);
      expect(inside(late, '2026-01-02T23:59:59Z')).toBe(true);
      expect(inside(late, '2026-01-03T00:00:00Z')).toBe(false);
    });
  });

  describe('holidays', () => {
    it('are outside, also for users without working hours, on the local date', () => {
      const who = user('America/New_York', null, ['2026-12-25']);
      expect(inside(who, '2026-12-25T04:59:00Z')).toBe(true);
      expect(inside(who, '2026-12-25T05:00:00Z')).toBe(false);
      expect(inside(who, '2026-12-26T04:59:00Z')).toBe(false);
      expect(inside(who, '2026-12-26T05:00:00Z')).toBe(true);
    });

    it('cut off the part after midnight of a block that began the day before', () => {
      const who = user('UTC', [block('22:00', '06:00')], ['2026-12-25']);
      expect(inside(who, '2026-12-24T23:59:00Z')).toBe(true);
      expect(inside(who, '2026-12-25T00:00:00Z')).toBe(false);
      expect(inside(who, '2026-12-25T23:00:00Z')).toBe(false);
      expect(inside(who, '2026-12-26T01:00:00Z')).toBe(true);
    });
  });

  it('is outside where the clock or the block cannot be read', () => {
    expect(inside(user('Mars/Olympus', [block('00:00', '24:00')]), '2026-01-05T12:00:00Z')).toBe(false);
    expect(inside(user('UTC', [block('9 am', '17:00')]), '2026-01-05T12:00:00Z')).toBe(false);
    expect(inside(user('UTC', [block('09:00', 'late')]), '2026-01-05T12:00:00Z')).toBe(false);
  });

  it('asks the reader it is given', () => {
    const clock = {
      date: '2026-01-05',
      weekday: 'mon',
      minutes: 600,
      previous: { date: '2026-01-04', weekday: 'sun' },
    };
    const reader = jest.fn().mockReturnValue(clock);
    const at = new Date(0);
    expect(isWithinWorkingHours(user('UTC', [block('09:00', '17:00', ['mon'])]), at, reader)).toBe(true);
    expect(reader).toHaveBeenCalledWith(at, 'UTC');
  });
});
