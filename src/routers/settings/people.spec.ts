import { Directory } from '../../directory/directory.js';
import { team } from '../../../test/units/configuration.js';
import { user } from '../../../test/units/engine-fixtures.js';
import { idsIn, withIds, withNames, withoutUsers } from './people.js';

const ADA = 'id-ada';
const BOB = 'id-bob';
const SALES = 'id-team-Sales';
const GONE = '019a8f2c-8a10-7c44-b6f1-1c2d3e4f5a6b';
const archived = { ...user('gone'), id: GONE, archivedAt: new Date(0) };
const directory = new Directory([user('ada'), user('bob'), archived], [team('Sales')]);

const trigger = (...conditions: object[]) => ({ groups: [{ conditions }] });
const condition = (field: string, operator: string, value?: unknown) => ({ field, operator, value });
const isUserField = (field: string): boolean => field === 'contact_owner';
const stored = (settings: object) => withIds({ ...settings }, directory, isUserField);

describe('stored settings', () => {
  it('have ids wherever settings name users and teams [contract 6]', () => {
    const settings = {
      overwrite: true,
      default_user: 'ada@acme.test',
      trigger: trigger(condition('contact_owner', 'in', [' Bob@ACME.test', 'x'])),
      rules: [
        {
          name: 'ada@acme.test',
          users: [{ email: 'ada@acme.test', percentage: 40 }],
          teams: [{ name: 'Sales', percentage: 60 }],
          trigger: trigger(condition('contact_owner', 'neq', 'ada@acme.test')),
        },
      ],
    };
    const ids = stored(settings);
    expect(ids).toEqual({
      overwrite: true,
      default_user: ADA,
      trigger: trigger(condition('contact_owner', 'in', [{ user: BOB }, 'x'])),
      rules: [
        {
          name: 'ada@acme.test',
          users: [{ userId: ADA, percentage: 40 }],
          teams: [{ teamId: SALES, percentage: 60 }],
          trigger: trigger(condition('contact_owner', 'neq', { user: ADA })),
        },
      ],
    });
    const shown = { ...settings, trigger: trigger(condition('contact_owner', 'in', ['bob@acme.test', 'x'])) };
    expect(withNames(ids, directory)).toEqual(shown);
  });

  it('have no ids in other fields, parts of texts and names [contract 6]', () => {
    const settings = {
      default_user: null,
      trigger: trigger(
        condition('email', 'eq', 'ada@acme.test'),
        condition('contact_owner', 'ends_with', '@acme.test'),
        condition('contact_owner', 'is_empty'),
        condition('email', 'in', ['ada@acme.test', { email: 'ada@acme.test' }]),
        condition('email', 'like', { user: 'ada' }),
      ),
      rules: [{ name: 'Sales', id: 'ada@acme.test' }],
    };
    expect(stored(settings)).toEqual(settings);
    expect(withNames(settings, directory)).toEqual(settings);
  });

  it('are shown with the last e-mails of archived users [contract 6]', () => {
    const rules = [{ name: 'A', users: [{ userId: GONE }] }];
    const compared = trigger(condition('contact_owner', 'eq', { user: GONE }));
    expect(withNames({ default_user: GONE, rules, trigger: compared }, directory)).toEqual({
      default_user: 'gone@acme.test',
      rules: [{ name: 'A', users: [{ email: 'gone@acme.test' }] }],
      trigger: trigger(condition('contact_owner', 'eq', 'gone@acme.test')),
    });
  });

  it('name users whom they list, teams, and users whom they compare with [contract 6]', () => {
    const rules = [{ name: 'A', users: [{ userId: BOB }], teams: [{ teamId: SALES }] }];
    const compared = trigger(
      condition('contact_owner', 'in', [{ user: GONE }, { user: 'no id' }, 'x']),
      condition('contact_owner', 'is_empty'),
    );
    expect(idsIn({ default_user: ADA, rules, trigger: compared })).toEqual({
      users: new Set([ADA, BOB]),
      teams: new Set([SALES]),
      compared: new Set([GONE]),
    });
    expect(idsIn(null).users.size).toBe(0);
  });
});

const gone = new Set([ADA]);
const asks = trigger(condition('contact_owner', 'eq', { user: ADA }));
const rule = (pool: object) => ({ overwrite: true, rules: [{ name: 'A', trigger: asks, ...pool }] });

describe('settings without a user', () => {
  it.each([
    ['the backup', { default_user: ADA }, { default_user: null }],
    [
      'one of a rule',
      rule({ users: [{ userId: ADA }, { userId: BOB }] }),
      rule({ users: [{ userId: BOB }] }),
    ],
    [
      'one beside a team',
      rule({ users: [{ userId: ADA }], teams: [{ teamId: SALES }] }),
      rule({ teams: [{ teamId: SALES }] }),
    ],
    ['the only one', rule({ users: [{ userId: ADA }] }), rule({ users: [], teams: [] })],
    [
      'one with a percentage',
      rule({
        users: [
          { userId: ADA, percentage: 50 },
          { userId: BOB, percentage: 40 },
        ],
        teams: [{ teamId: SALES, percentage: 10 }],
      }),
      rule({ users: [{ userId: BOB, percentage: 80 }], teams: [{ teamId: SALES, percentage: 20 }] }),
    ],
    [
      'the only one of a step, and those behind it keep their rotations',
      { steps: [{ users: [{ userId: ADA }] }, { users: [{ userId: BOB }] }, { id: 's', name: 'S' }] },
      {
        steps: [
          { users: [{ userId: BOB }], rotation_key: 'step/2' },
          { id: 's', name: 'S' },
        ],
      },
    ],
    [
      'the only one of a rule that begins with its steps',
      rule({ steps: [{ users: [{ userId: ADA }] }] }),
      rule({ steps: [], users: [], teams: [] }),
    ],
    [
      'one of a rule that has steps',
      rule({ users: [{ userId: ADA }], steps: [{ users: [{ userId: BOB }] }] }),
      rule({ users: [], teams: [], steps: [{ users: [{ userId: BOB }] }] }),
    ],
  ])('lack %s [contract 6, contract 8.1]', (_, settings, expected) => {
    expect(withoutUsers(settings, gone)).toEqual(expected);
  });

  it.each([
    [null],
    [rule({})],
    [rule({ users: [{ userId: BOB }], teams: [{ teamId: ADA }] })],
    [{ default_user: BOB, trigger: asks }],
  ])('are the same object where they list others only: %j [contract 6]', (settings) =>
    expect(withoutUsers<Record<string, unknown> | null>(settings, gone)).toBe(settings),
  );
});
