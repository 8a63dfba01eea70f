import type { User } from '../../directory/user.js';
import { directory, input, NOON, user } from '../../../test/units/engine-fixtures.js';
import { BUILTIN_CHECKS, rememberVerdicts, type EligibilityCheck } from './checks.js';

const weigh = (values: Partial<User>) =>
  rememberVerdicts(BUILTIN_CHECKS, input({ users: directory(user('ada', values)) }))('ada@acme.test');
const away = [{ from: '2026-06-10T00:00:00Z', to: '2026-06-11T00:00:00Z' }];
const nights = [{ days: ['wed'] as const, start: '20:00', end: '06:00' }];

describe('the built-in checks', () => {
  it.each([
    [{}, []],
    [{ available: false }, ['switched_off']],
    [{ outOfOffice: away }, ['out_of_office']],
    [{ workingHours: nights }, ['outside_working_hours']],
    [{ holidays: ['2026-06-10'] }, ['outside_working_hours']],
    [
      { available: false, outOfOffice: away, workingHours: [] },
      ['switched_off', 'out_of_office', 'outside_working_hours'],
    ],
    // Local time in Tokyo is 21:00.
    [{ workingHours: nights, timezone: 'Asia/Tokyo' }, []],
  ])('name every reason: %j', (values, reasons) => {
    expect(weigh(values).reasons).toEqual(reasons);
  });

  it('keep out who is no active user', () => {
    const verdict = rememberVerdicts(BUILTIN_CHECKS, input())('eve@acme.test');
    expect(verdict).toMatchObject({ user: undefined, reasons: ['not_a_user'] });
  });

  it('read one clock per time zone', () => {
    const clocks: unknown[] = [];
    const zones = ['Asia/Kolkata', 'Asia/Kolkata', 'Mars/Olympus'];
    const check: EligibilityCheck = {
      id: 'clock',
      group: 'availability',
      check: (_, { readClock }) => {
        clocks.push(...zones.map((zone) => readClock(NOON, zone)));
        return { pass: true };
      },
    };
    rememberVerdicts([check], input({ users: directory(user('ada')) }))('ada@acme.test');
    expect(clocks[0]).toBe(clocks[1]);
    expect(clocks[2]).toBeNull();
  });
});
