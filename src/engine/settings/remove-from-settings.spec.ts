import { listedInSettings, removeFromSettings } from './remove-from-settings.js';

const ADA = 'ada@acme.test';
const BOB = 'bob@acme.test';
const gone = new Set([ADA]);
const trigger = { groups: [{ conditions: [{ field: 'contact_owner', operator: 'eq', value: ADA }] }] };
const rule = (pool: object) => ({ overwrite: true, rules: [{ name: 'A', trigger, ...pool }] });

describe('settings without a user', () => {
  it.each([
    ['the backup', { default_user: 'Ada@acme.test' }, { default_user: null }],
    ['one of a rule', rule({ users: [{ email: ADA }, { email: BOB }] }), rule({ users: [{ email: BOB }] })],
    [
      'one beside a team',
      rule({ users: [{ email: ADA }], teams: [{ name: 'Sales' }] }),
      rule({ teams: [{ name: 'Sales' }] }),
    ],
    ['the only one', rule({ users: [{ email: ADA }] }), rule({ users: [], teams: [] })],
    [
      'one with a percentage',
      rule({
        users: [
          { email: ADA, percentage: 50 },
          { email: BOB, percentage: 40 },
        ],
        teams: [{ name: 'S', percentage: 10 }],
      }),
      rule({ users: [{ email: BOB, percentage: 80 }], teams: [{ name: 'S', percentage: 20 }] }),
    ],
  ])('lack %s [contract 6]', (_, settings, expected) => {
    expect(removeFromSettings(settings, gone)).toEqual(expected);
  });

  it.each([
    [null],
    [rule({})],
    [rule({ users: [{ email: BOB }], teams: [{ name: ADA }] })],
    [{ default_user: BOB, trigger }],
  ])('are the same object where they list others only: %j [contract 6]', (settings) =>
    expect(removeFromSettings<Record<string, unknown> | null>(settings, gone)).toBe(settings),
  );
});

describe('the users whom settings list', () => {
  it.each([
    [null, []],
    [
      { default_user: 'Ada@acme.test', ...rule({ users: [{ email: BOB }], teams: [{ name: 'Sales' }] }) },
      [ADA, BOB],
    ],
    [{ default_user: null, trigger, ...rule({}) }, []],
  ])('are those of pools and the backup: %j [contract 6]', (settings, expected) => {
    expect([...listedInSettings(settings)]).toEqual(expected);
  });
});
