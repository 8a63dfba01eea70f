import {
  capacity,
  configurationOf,
  routerOf,
  stored,
  type Configured,
} from '../../../test/units/configuration.js';
import type { LastAssignment } from '../../assignments/index.js';
import { EMPTY_ROTATION_STATE, type RotationState } from '../../engine/index.js';
import { BUILTINS, NOON, user } from '../../../test/units/engine-fixtures.js';
import type { StoredRecord } from '../../records/index.js';
import { storedContact } from '../../../test/units/stored-contact.js';
import { ACME, snapshots } from '../../../test/units/decisions.js';
import { db, FakeReads } from '../../../test/units/fake-reads.js';
import type { AccountMatcher } from './account-matcher.js';
import { Decider, type Decided, type DecisionReads } from './decider.js';

const [ADA, BOB, EVE] = ['ada', 'bob', 'eve'].map((name) => `${name}@acme.test`) as [string, string, string];
const USERS = ['ada', 'bob', 'eve'].map((name) => user(name));

let reads: FakeReads;
beforeEach(() => (reads = new FakeReads()));

type Options = Partial<DecisionReads> & {
  readonly rotation?: RotationState;
  readonly held?: LastAssignment;
};

/** The decisions of one router, and those of its rotations that have moved. */
interface OfRouter {
  readonly id: string;
  readonly decided: readonly Decided[];
  readonly rotations: ReadonlyMap<string, RotationState>;
}

/** The decisions of several routers on the records of each. */
const decideAll = async (
  configured: Configured,
  records: Readonly<Record<string, readonly StoredRecord[]>>,
  { rotation = EMPTY_ROTATION_STATE, held, ...options }: Options = {},
): Promise<OfRouter[]> => {
  const configuration = configurationOf({ users: USERS, ...configured });
  const all = snapshots();
  const decider = new Decider(
    BUILTINS.checks,
    reads as unknown as AccountMatcher,
    reads.workloadReader,
    reads.rotationsRepository,
  );
  const read = await decider.read(
    Object.entries(records).map(([id, own]) => ({
      snapshot: all.get(ACME, configuration, id),
      records: own,
      rotation,
      held: new Map(held && [[held.objectId, held]]),
    })),
    { db, at: NOON, until: null, ...options },
  );
  const { decided, changes } = await decider.decide(read);
  return Object.keys(records).map((id) => ({
    id,
    decided: decided.filter(({ snapshot }) => snapshot.id === id),
    rotations: new Map(
      changes.rotations.flatMap(({ routerId, key, state }) => (routerId === id ? [[key, state]] : [])),
    ),
  }));
};

/** The decisions of the router R. */
const decide = async (
  configured: Configured,
  records: readonly StoredRecord[],
  options: Options = {},
): Promise<OfRouter> => (await decideAll(configured, { R: records }, options))[0]!;

/** Who gets the records, or why nobody does. */
const taken = ({ decided }: OfRouter): string[] =>
  decided.map(({ decision }) => (decision.assigned ? decision.user : decision.reason));

const contacts = (count: number, fields = {}): StoredRecord[] =>
  Array.from({ length: count }, (_, n) => storedContact(`r${n}`, fields));

const when = (city: string) => ({
  groups: [{ conditions: [{ field: 'city', operator: 'eq', value: city }] }],
});
const rule = (name: string, users: readonly string[]) => ({
  name,
  trigger: when(name),
  users: users.map((email) => ({ email })),
  teams: [],
  distributionModel: null,
  rotationType: null,
});
const withRules = (values = {}) => [
  routerOf('R', ['ada', 'bob'], {
    settings: stored({ rules: [rule('Paris', [EVE, BOB]), rule('Rome', [ADA])], ...values }),
  }),
];

describe('decisions on several records', () => {
  it('take one turn after the other, and leave the rotation where the last one stands [contract 4]', async () => {
    const decisions = await decide({ routers: [routerOf('R', ['ada', 'bob'])] }, contacts(3));
    expect(decisions.decided.map(({ record }) => record.id)).toEqual(['r0', 'r1', 'r2']);
    expect(taken(decisions)).toEqual([ADA, BOB, ADA]);
    expect([...decisions.rotations].map(([key, { seq }]) => [key, seq])).toEqual([['', 3]]);
  });

  it('go on from where the rotation stood [contract 4]', async () => {
    const routers = [routerOf('R', ['ada', 'bob'])];
    const before = await decide({ routers }, contacts(1));
    const after = await decide({ routers }, contacts(2), { rotation: before.rotations.get('')! });
    expect(taken(after)).toEqual([BOB, ADA]);
    expect(after.rotations.get('')?.seq).toBe(3);
  });

  it('move no rotation where nobody is assigned, or nobody by a turn [contract 4]', async () => {
    const unpublished = await decide(
      { routers: [routerOf('R', ['ada'], { published: false })] },
      contacts(1),
    );
    expect(taken(unpublished)).toEqual(['router_unpublished']);
    expect(unpublished.rotations.size).toBe(0);
    const settings = stored({ accountMatching: true });
    reads.matched = new Map([['r0', { companyId: 'c', host: 'x.test', owner: EVE }]]);
    const matched = await decide({ routers: [routerOf('R', ['ada'], { settings })] }, contacts(2));
    expect(taken(matched)).toEqual([EVE, ADA]);
    expect(matched.rotations.get('')?.seq).toBe(1);
  });

  it('take the turns of a rule from a rotation of its own, which is read with those of other rules [contract 4]', async () => {
    const cities = ['Paris', 'Oslo', 'Paris', 'Rome'];
    const records = cities.map((city, n) => storedContact(`r${n}`, { city }));
    const decisions = await decide({ routers: withRules() }, records);
    expect(taken(decisions)).toEqual([EVE, ADA, BOB, ADA]);
    expect(reads.wanted).toEqual([
      { routerId: 'R', key: 'rule:Paris' },
      { routerId: 'R', key: 'rule:Rome' },
    ]);
    const seqs = [...decisions.rotations].map(([key, { seq }]) => [key, seq]);
    expect(Object.fromEntries(seqs)).toEqual({ 'rule:Paris': 2, '': 1, 'rule:Rome': 1 });
  });

  it("go on from where a rule's rotation stood [contract 4]", async () => {
    const paris = contacts(1, { city: 'Paris' });
    const before = await decide({ routers: withRules() }, paris);
    reads.rotations = new Map(before.rotations);
    expect(taken(await decide({ routers: withRules() }, paris))).toEqual([BOB]);
  });

  it('read no rotation for a record that is refused', async () => {
    const decisions = await decide(
      { routers: withRules({ trigger: when('Oslo') }) },
      contacts(1, { city: 'Paris' }),
    );
    expect(taken(decisions)).toEqual(['trigger_not_matched']);
    expect(reads.wanted).toEqual([]);
  });

  it('see the fields of a record, those the service manages included [2.5, contract 4]', async () => {
    const trigger = {
      groups: [{ conditions: [{ field: 'last_modified_date', operator: 'gt', value: '2026-02-01' }] }],
    };
    const routers = [routerOf('R', ['ada'], { settings: stored({ trigger }) })];
    expect(taken(await decide({ routers }, contacts(1)))).toEqual([ADA]);
    const old = { updated_at: new Date('2026-01-31T00:00:00Z'), created_at: new Date('2026-03-01T00:00:00Z') };
    expect(taken(await decide({ routers }, [storedContact('a', {}, old)]))).toEqual(['trigger_not_matched']);
  }); // prettier-ignore

  it('are made at the instant given [contract 4]', async () => {
    const away = user('ada', {
      outOfOffice: [{ from: '2026-06-10T00:00:00Z', to: '2026-06-10T12:00:00.001Z' }],
    });
    const configured = { users: [away, ...USERS.slice(1)], routers: [routerOf('R', ['ada', 'bob'])] };
    expect(taken(await decide(configured, contacts(1)))).toEqual([BOB]);
    const later = new Date(NOON.getTime() + 1);
    expect(taken(await decide(configured, contacts(1), { at: later }))).toEqual([ADA]);
  });
});

describe('the workloads of decisions', () => {
  const limited = {
    users: [user('ada', { limits: { day: 2 } }), user('bob', { limits: { day: 1 } })],
    routers: [routerOf('R', ['ada', 'bob'])],
  };

  it('count what was assigned on the way [contract 4]', async () => {
    expect(taken(await decide(limited, contacts(4)))).toEqual([ADA, BOB, ADA, 'assignment_limit_reached']);
    expect(reads.events).toEqual(['rotations of acme', 'workloads']);
  });

  it('are required of a matched owner as well [contract 4]', async () => {
    const settings = stored({ accountMatching: true });
    reads.matched = new Map([['r0', { companyId: 'c', host: 'x.test', owner: BOB }]]);
    await decide({ ...limited, routers: [routerOf('R', ['ada'], { settings })] }, contacts(1));
    expect(reads.required?.assigned).toEqual([ADA, BOB]);
  });

  const balanced = [
    routerOf('R', ['ada', 'bob'], { settings: stored({ distributionModel: 'load balanced' }) }),
  ];

  it('are compared by a balanced router, each assignment counted [contract 4]', async () => {
    reads.owned = { [ADA]: 2, [BOB]: 0 };
    expect(taken(await decide({ routers: balanced }, contacts(3)))).toEqual([BOB, BOB, ADA]);
  });

  const overwriting = (values: object) => [
    routerOf('R', ['ada', 'bob'], {
      settings: stored({ distributionModel: 'load balanced', overwrite: true, ...values }),
    }),
  ];
  const ownedByAda = contacts(1, { contact_owner: ADA });

  it('contain a record that exists, so that its owner is weighed without it [contract 4]', async () => {
    reads.owned = { [ADA]: 2, [BOB]: 1 };
    // Ada has one other record, Bob has one: a tie goes to the configured order.
    expect(taken(await decide({ routers: overwriting({}) }, ownedByAda))).toEqual([ADA]);
  });

  it('do not contain an imagined record until it is added [contract 6]', async () => {
    reads.owned = { [ADA]: 1, [BOB]: 0 };
    expect(taken(await decide({ routers: overwriting({}) }, ownedByAda))).toEqual([ADA]);
    expect(taken(await decide({ routers: overwriting({}) }, ownedByAda, { imagined: true }))).toEqual([BOB]);
  });

  it('are those of capacities too, an imagined record added [contract 6]', async () => {
    const capacities = [capacity('Leads', { users: [{ userId: 'id-ada', max: 1 }] })];
    const routers = [routerOf('R', ['ada'], { settings: stored({ overwrite: true }) })];
    const lead = contacts(1, { contact_owner: ADA, lifecycle_stage: 'lead' });
    reads.owned = { [ADA]: 1 };
    expect(taken(await decide({ capacities, routers }, lead))).toEqual([ADA]);
    expect(taken(await decide({ capacities, routers }, lead, { imagined: true }))).toEqual([
      'assignment_limit_reached',
    ]);
    expect([...(reads.required?.capacities ?? [])]).toEqual([['Leads', [ADA]]]);
  });
});

describe('the assignment by which somebody holds a record', () => {
  const MINUTE = 60_000;
  const byAda: LastAssignment = {
    id: 'entry',
    objectId: 'r0',
    routerId: 'R',
    user: ADA,
    at: new Date(NOON.getTime() - 10 * MINUTE),
    rotationKey: null,
    team: null,
  };

  it.each([
    ['returned to its user when another one gets the record', byAda, true],
    ['kept after the minutes of its router', { ...byAda, at: new Date(byAda.at.getTime() - 1) }, false],
    ['kept where somebody else holds the record by now', { ...byAda, user: EVE }, false],
    ['kept where its router returns none', { ...byAda, routerId: 'T' }, false],
  ])('is %s [contract 4]', async (_, held, isReturned) => {
    const users = [user('ada', { limits: { day: 1 } }), user('bob', { limits: { day: 1 } })];
    const settings = stored({ overwrite: true, reimburseWithinMinutes: 10 });
    const routers = [routerOf('R', ['ada', 'bob'], { settings })];
    reads.newest = { [ADA]: [held.at.getTime()], [BOB]: [] };
    const records = [storedContact('r0', { contact_owner: ADA }), storedContact('r1')];
    const rotation = (await decide({ routers: [routerOf('R', ['ada', 'bob'])] }, contacts(1))).rotations.get(
      '',
    );
    const decisions = await decide({ users, routers }, records, { held, rotation: rotation! });
    expect(taken(decisions)).toEqual([BOB, isReturned ? ADA : 'assignment_limit_reached']);
  });
});

describe('decisions of several routers', () => {
  const named = (prefix: string, count: number): StoredRecord[] =>
    Array.from({ length: count }, (_, n) => storedContact(`${prefix}${n}`, { email: `${prefix}@x.test` }));

  it('take turns by a rotation of their own, one router after the other [contract 4]', async () => {
    const routers = [routerOf('R', ['ada', 'bob']), routerOf('S', ['eve', 'bob'])];
    const all = await decideAll({ routers }, { R: named('r', 3), S: named('s', 2) });
    expect(all.map(taken)).toEqual([
      [ADA, BOB, ADA],
      [EVE, BOB],
    ]);
    expect(all.map(({ id, rotations }) => [id, rotations.get('')?.seq])).toEqual([
      ['R', 3],
      ['S', 2],
    ]);
  });

  it('count what the routers before them have assigned, and read once for all [contract 4]', async () => {
    const users = [user('ada', { limits: { day: 3 } }), user('bob', { limits: { day: 2 } }), user('eve')];
    const routers = [routerOf('R', ['ada', 'bob']), routerOf('S', ['bob', 'ada'])];
    const all = await decideAll({ users, routers }, { R: named('r', 3), S: named('s', 3) });
    expect(all.map(taken)).toEqual([
      [ADA, BOB, ADA],
      [BOB, ADA, 'assignment_limit_reached'],
    ]);
    expect(reads.events).toEqual(['rotations of acme', 'workloads']);
  });

  it('count the records that the routers before them have moved between owners [contract 4]', async () => {
    const capacities = [capacity('Leads', { users: [{ userId: 'id-ada', max: 2 }] })];
    const settings = stored({ overwrite: true });
    const routers = [routerOf('R', ['bob'], { settings }), routerOf('S', ['ada'], { settings })];
    const leads = (prefix: string, fields: object): StoredRecord[] =>
      named(prefix, 2).map((one) => ({ ...one, fields: { lifecycle_stage: 'lead', ...fields } }));
    reads.owned = { [ADA]: 2 };
    const records = { R: leads('r', { contact_owner: ADA }).slice(1), S: leads('s', {}) };
    const all = await decideAll({ capacities, routers }, records);
    expect(all.map(taken)).toEqual([[BOB], [ADA, 'assignment_limit_reached']]);
  });

  it('find the companies of those that match accounts with one statement [contract 4]', async () => {
    const settings = stored({ accountMatching: true });
    const routers = ['R', 'S', 'T'].map((id) => routerOf(id, ['ada'], id === 'S' ? {} : { settings }));
    reads.matched = new Map([['t0', { companyId: 'c', host: 'x.test', owner: EVE }]]);
    const all = await decideAll({ routers }, { R: named('r', 1), S: named('s', 1), T: named('t', 1) });
    expect(reads.events[0]).toBe('match r0,t0');
    expect(reads.events.filter((event) => event.startsWith('match'))).toHaveLength(1);
    expect(all.map(taken)).toEqual([[ADA], [ADA], [EVE]]);
  });

  it('read the rotations of all their rules together [contract 4]', async () => {
    const [ruled] = withRules();
    const routers = [ruled!, Object.assign(withRules()[0]!, { id: 'S' })];
    const paris = (id: string): StoredRecord[] => [storedContact(id, { city: 'Paris' })];
    const before = await decide({ routers }, paris('a'));
    reads.rotations = new Map(before.rotations);
    const all = await decideAll({ routers }, { R: paris('b'), S: paris('c') });
    expect(reads.wanted).toEqual(['R', 'S'].map((routerId) => ({ routerId, key: 'rule:Paris' })));
    // The rule of S has given no turn yet.
    expect(all.map(taken)).toEqual([[BOB], [EVE]]);
  });

  it('end where their pools have more members together than are asked for, but for the first [contract 4]', async () => {
    const routers = [routerOf('R', ['ada', 'bob']), routerOf('S', ['eve', 'bob'])];
    const records = { R: named('r', 2), S: named('s', 2) };
    const most = async (mostMembers: number): Promise<number[]> =>
      (await decideAll({ routers }, records, { mostMembers })).map(({ decided }) => decided.length);
    expect(await most(9)).toEqual([2, 1]);
    expect(await most(1)).toEqual([1, 0]);
  });

  it('count the members of all steps [contract 8.1]', async () => {
    const steps = ['bob', 'bob', 'ada'].map((name) => ({ users: [{ userId: `id-${name}` }], teams: [] }));
    const routers = [routerOf('R', ['ada', 'bob'], { settings: { ...stored(), steps } })];
    const most = async (mostMembers: number): Promise<number | undefined> =>
      (await decideAll({ routers }, { R: named('r', 4) }, { mostMembers }))[0]?.decided.length;
    expect([await most(24), await most(23), await most(12)]).toEqual([4, 3, 2]);
  });

  it('are none where there are no routers', async () => {
    expect(await decideAll({}, {})).toEqual([]);
    expect(reads.events).toEqual([]);
  });
});

describe('many decisions', () => {
  it('leave time for other work, and tell of their progress [contract 5]', async () => {
    const told: number[] = [];
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 1);
    const all = new Decider(
      BUILTINS.checks,
      reads as unknown as AccountMatcher,
      reads.workloadReader,
      reads.rotationsRepository,
    );
    const snapshot = snapshots().get(
      ACME,
      configurationOf({ users: USERS, routers: [routerOf('R', ['ada'])] }),
      'R',
    );
    const router = { snapshot, records: contacts(2_000), rotation: EMPTY_ROTATION_STATE };
    const read = await all.read([router], { db, at: NOON, until: null });
    const { decided } = await all.decide(read, (count) => told.push(count));
    clearInterval(timer);
    expect(decided).toHaveLength(2_000);
    expect(told).toEqual([...told].sort((a, b) => a - b));
    expect(told.length).toBeGreaterThan(0);
    expect(turns).toBeGreaterThan(0);
  });
});
