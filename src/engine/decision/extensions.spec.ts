import { ROUND_ROBIN } from '../models/models.js';
import type { EligibilityCheck } from '../eligibility/checks.js';
import {
  BUILTINS,
  contact,
  directory,
  engine,
  engineWith,
  fields,
  input,
  routeAndDecide,
  router,
  settings,
  user,
} from '../../../test/units/engine-fixtures.js';
import type { TriggerOperator } from '../trigger/operators.js';

const users = directory(user('ada'), user('bob'));
const pool = { users: [{ email: 'ada@acme.test' }, { email: 'bob@acme.test' }] };

describe('an engine', () => {
  it('refuses to compile a router whose model is not registered', () => {
    const config = router({ settings: settings({ distributionModel: 'lottery' }) });
    expect(() => engine.compile(config, fields)).toThrow(/not registered: lottery/);
  });

  it('compiles a pool once that many rules list alike', () => {
    const members = ['ada@acme.test', 'bob@acme.test'];
    const team = (percentage: number) => ({ users: [], teams: [{ name: 'Sales', members, percentage }] });
    const none = { trigger: { groups: [] }, distributionModel: null, rotationType: null };
    const parts = [team(1), team(1), team(2), { ...team(1), rotationType: 'teams' as const }];
    const rules = parts.map((part, n) => ({ name: `Rule ${n}`, ...none, ...part }));
    const { plan } = engine.compile(router({ ...pool, settings: settings({ rules }) }), fields);
    const [one, same, ...others] = plan!.rules.map(({ stages }) => stages[0]!.pool);
    expect(same).toBe(one);
    expect(new Set([one, ...others, plan!.stages[0]!.pool]).size).toBe(4);
  });

  it('takes operators, models and checks of others', () => {
    const last = {
      ...ROUND_ROBIN,
      id: 'last',
      reason: 'last_one',
      distribute: ({ entries, ledger }: Parameters<typeof ROUND_ROBIN.distribute>[0]) => ({
        entry: entries.at(-1)!,
        ledger,
        explanation: { rule: 'last', columns: [], rows: [] },
      }),
    };
    const notBob: EligibilityCheck = {
      id: 'not_bob',
      group: 'workload',
      check: ({ email }) => (email === 'bob@acme.test' ? { pass: false, reason: 'is_bob' } : { pass: true }),
    };
    const long: TriggerOperator = {
      id: 'longer_than',
      compile: (operand) => ({ ok: true, test: (value) => (value?.stored.length ?? 0) > Number(operand) }),
    };
    const trigger = {
      groups: [{ conditions: [{ field: 'first_name', operator: 'longer_than', value: 3 }] }],
    };
    const config = router({ ...pool, settings: settings({ distributionModel: 'last', trigger }) });
    const run = (checks: readonly EligibilityCheck[], name: string) => {
      const extended = engineWith({
        operators: [...BUILTINS.operators, long],
        models: [...BUILTINS.models, last],
        checks,
      });
      return routeAndDecide(
        extended.compile(config, fields),
        input({ users, record: contact({ first_name: name }) }),
        extended,
      );
    };
    expect(run(BUILTINS.checks, 'Grace')).toMatchObject({ user: 'bob@acme.test', reason: 'last_one' });
    expect(run([...BUILTINS.checks, notBob], 'Grace')).toMatchObject({ user: 'ada@acme.test' });
    expect(run(BUILTINS.checks, 'Ada')).toMatchObject({ reason: 'trigger_not_matched' });
  });

  it('decides the same from the same, and changes nothing that it is given', () => {
    const compiled = engine.compile(router(pool), fields);
    const given = input({ users });
    const first = routeAndDecide(compiled, given);
    expect(given.rotations.get('')).toEqual({ seq: 0, ledgers: new Map() });
    expect(routeAndDecide(compiled, given)).toEqual(first);
  });
});
