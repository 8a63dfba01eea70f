import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { EligibilityContext, EligibilityVerdict, User } from 'fairlead';
import { clockDistance } from './clock-distance.js';

const MINUTES = new Map([
  ['Europe/London', 23 * 60 + 30],
  ['Europe/Berlin', 30],
  ['Asia/Kolkata', 5 * 60],
  ['America/New_York', 18 * 60 + 30],
  ['Asia/Tokyo', 8 * 60 + 30],
]);

const context = (fields: Readonly<Record<string, string>>): EligibilityContext => ({
  input: {
    record: { id: 'record', objectType: 'contacts', get: (name) => fields[name] },
    users: new Map(),
    matchedOwner: null,
    rotations: new Map(),
    at: new Date('2026-06-10T22:30:00Z'),
  },
  readClock: (_, zone) => {
    const minutes = MINUTES.get(zone);
    if (minutes === undefined) return null;
    return { date: '2026-06-10', weekday: 'wed', minutes, previous: { date: '2026-06-09', weekday: 'tue' } };
  },
});

const check = (timezone: string, fields: Readonly<Record<string, string>>): EligibilityVerdict =>
  clockDistance(6).check({ timezone } as User, context(fields));

it('the check passes users whose clock is near, past midnight too', () => {
  for (const zone of ['Europe/London', 'Europe/Berlin', 'Asia/Kolkata', 'America/New_York']) {
    assert.deepEqual(check('Europe/London', { time_zone: zone }), { pass: true });
  }
});

it('the check keeps out users whose clock is far, and says how far', () => {
  const far = { pass: false, reason: 'clock_distance' };
  assert.deepEqual(check('Europe/London', { time_zone: 'Asia/Tokyo' }), { ...far, saw: '9/6 h' });
  assert.deepEqual(check('America/New_York', { time_zone: 'Asia/Kolkata' }), { ...far, saw: '10.5/6 h' });
});

it('the check passes everybody for a record without a known time zone', () => {
  for (const fields of [{}, { time_zone: '' }, { time_zone: 'Mars/Olympus' }]) {
    assert.deepEqual(check('Asia/Tokyo', fields), { pass: true });
  }
});
