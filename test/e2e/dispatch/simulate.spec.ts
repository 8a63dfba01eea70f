// It has its own database, because it compares what all accounts have.
import { UNKNOWN_ID } from '../../support/record-types.js';
import { mail, people, router, RoutingAccount } from '../../support/routing-account.js';
import { sql } from '../../support/database/stored-records.js';
import { TestService } from '../../support/test-service.js';
import { condition } from '../../support/database/trigger-table.js';

const TEAM = ['ada', 'bob', 'eve'];
const NINE_TO_FIVE = [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], start: '09:00', end: '17:00' }];

let service: TestService;
let second: TestService;

beforeAll(async () => {
  service = await TestService.start();
  second = await TestService.start({ database: service.database });
});
afterAll(async () => {
  await second.stop();
  await service.stop();
});

const open = (settings: object | null = {}, file: object = {}): Promise<RoutingAccount> =>
  RoutingAccount.open(service, {
    users: people(TEAM),
    ...file,
    routers: [router('R', settings, { users: people(TEAM) })],
  });

/** Returns all rows of every account that a dispatch can write. */
const everything = (): Promise<unknown[]> =>
  Promise.all(
    ['records', 'rotations', 'assignments', 'accounts'].map((table) =>
      sql(service, `SELECT * FROM ${table} AS t ORDER BY t::text`),
    ),
  );

/** Runs a router on a record as a simulation, which writes nothing, and as a dispatch. Both must agree. */
async function simulateAndDispatch(account: RoutingAccount, id: string, name = 'R'): Promise<any> {
  const before = await everything();
  const simulated = await account.simulate(name, { object_id: id });
  expect(await everything()).toEqual(before);
  const dispatched = await account.dispatch(name, id);
  expect(simulated.status).toBe(dispatched.status);
  const { trace, owner_assigned_at: _, ...answer } = simulated.body;
  const { assignment_id, owner_assigned_at: __, ...told } = dispatched.body;
  expect(answer).toEqual(told);
  const run = (await account.log()).at(-1)!;
  expect(run.trace).toEqual(trace);
  if (assignment_id !== undefined) expect(run.id).toBe(assignment_id);
  return simulated.body;
}

describe('POST /dispatch/simulate', () => {
  it('answers what the dispatch after it does, with the same trace, and writes nothing [contract 6]', async () => {
    const account = await open();
    for (const name of ['ada', 'bob', 'eve', 'ada']) {
      const body = await simulateAndDispatch(account, await account.contact());
      expect(body).toEqual({
        message: 'The object was successfully assigned',
        success: true,
        user: mail(name),
        field_name: 'contact_owner',
        owner_assigned_at: expect.stringMatching(/^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d \+0000$/),
        reason: 'round_robin',
        trace: expect.any(Array),
      });
      expect(body.trace.map(({ step }: any) => step)).toEqual([
        'trigger',
        'overwrite',
        'eligibility',
        'distribution',
      ]);
    }
  });

  it('moves no rotation, however often it runs [contract 4, contract 6]', async () => {
    const account = await open();
    expect(await account.turns('R', 1)).toBe('ada');
    const id = await account.contact();
    const before = await account.rotation('R');
    for (let run = 0; run < 5; run++) {
      expect((await account.simulate('R', { object_id: id })).body.user).toBe(mail('bob'));
      expect((await account.simulate('R', { fields: {} })).body.user).toBe(mail('bob'));
    }
    expect(await account.rotation('R')).toEqual(before);
    expect(await account.turns('R', 2)).toBe('bob eve');
  });

  it.each([
    [
      'percentage',
      { users: people(['ada', 'bob'], { percentage: 50 }) },
      { distribution_model: 'percentage' },
    ],
    ['load balanced', { users: people(['ada', 'bob']) }, { distribution_model: 'load balanced' }],
    ['teams', { teams: [{ name: 'Reds' }], users: people(['eve']) }, { rotation_type: 'teams' }],
    ['rules', { users: people(['eve']) }, { rules: [{ name: 'All', users: people(['ada', 'bob']) }] }],
    ['a backup', { users: [] }, { default_user: mail('bob') }],
  ])('agrees with the dispatch after it: %s [contract 6]', async (_, pool, settings) => {
    const account = await RoutingAccount.open(service, {
      users: [...people(['bob', 'eve']), { email: mail('ada'), limits: { day: 2 } }],
      teams: [{ name: 'Reds', members: [mail('ada'), mail('bob')] }],
      routers: [router('R', settings, pool)],
    });
    for (let run = 0; run < 4; run++) {
      expect(await simulateAndDispatch(account, await account.contact())).toMatchObject({ success: true });
    }
  });

  it('agrees with a dispatch that matches an account [contract 6]', async () => {
    const account = await open({ account_matching: true });
    await account.create('companies', {
      company_name: 'Acme',
      website_url: 'acme.io',
      company_owner: mail('eve'),
    });
    const id = await account.contact({ email: 'x@mail.acme.io' });
    const fields = { email: 'y@acme.io' };
    expect((await account.simulate('R', { fields })).body).toMatchObject({
      user: mail('eve'),
      reason: 'account_matched',
    });
    expect(await simulateAndDispatch(account, id)).toMatchObject({
      user: mail('eve'),
      reason: 'account_matched',
    });
  });

  it.each([
    ['trigger_not_matched', { trigger: condition('city', 'eq', 'Atlantis') }, {}, {}],
    ['owner_present', {}, { contact_owner: mail('eve') }, {}],
    ['router_has_no_settings', null, {}, {}],
    ['no_users_available', {}, {}, { available: false }],
    ['assignment_limit_reached', {}, {}, { limits: { day: 0 } }],
  ])(
    'agrees with a dispatch that assigns nobody: %s [contract 4, contract 6]',
    async (reason, settings, fields, user) => {
      const account = await open(settings, { users: people(TEAM, user) });
      const body = await simulateAndDispatch(account, await account.contact(fields));
      expect(body).toEqual({
        message: expect.any(String),
        success: false,
        reason,
        ...(reason === 'owner_present' ? { user: mail('eve') } : {}),
        trace: expect.any(Array),
      });
      expect(body.trace.length).toBeGreaterThan(0);
    },
  );

  it('agrees with a dispatch that is refused [contract 4, contract 6]', async () => {
    const account = await open();
    const archived = await account.contact();
    await account.api.delete(`/contacts/${archived}`);
    const company = await account.create('companies', { company_name: 'Acme' });
    for (const [id, status] of [
      [archived, 409],
      [company, 400],
      [UNKNOWN_ID, 404],
      ['x', 404],
    ] as const) {
      const simulated = await account.simulate('R', { object_id: id });
      const { request_id: _, ...said } = simulated.body;
      const { request_id: __, ...told } = (await account.dispatch('R', id)).body;
      expect({ status: simulated.status, body: said }).toEqual({ status, body: told });
    }
    expect(await account.log()).toEqual([]);
  });

  it('sees a change of the configuration at once, in every process [contract 4, contract 6]', async () => {
    const account = await open();
    const elsewhere = account.through(second);
    const who = async (): Promise<unknown> => {
      const { body } = await elsewhere.simulate('R', { fields: {} });
      return body.user ?? body.reason;
    };
    expect(await who()).toBe(mail('ada'));
    await account.apply({ users: [{ email: mail('ada'), available: false }] });
    expect(await who()).toBe(mail('bob'));
    await account.apply({ routers: [{ name: 'R', published: false }] });
    expect(await who()).toBe('router_unpublished');
  });
});

describe('A simulation with fields', () => {
  it('is of a record that has them and does not exist, and none is made [contract 6]', async () => {
    const trigger = condition('city', 'eq', 'Paris');
    const account = await open({ trigger });
    const before = await everything();
    const simulate = async (fields: object): Promise<any> => (await account.simulate('R', { fields })).body;
    expect(await simulate({ city: 'Paris' })).toMatchObject({ user: mail('ada') });
    expect(await simulate({ city: 'paris', first_name: 'Ada', email: 'Ada@acme.io' })).toMatchObject({
      user: mail('ada'),
    });
    const { reason, trace } = await simulate({ city: 'Rome' });
    expect({ reason, trace }).toEqual({
      reason: 'trigger_not_matched',
      trace: [
        {
          step: 'trigger',
          matched: false,
          groups: [[{ field: 'city', operator: 'eq', value: 'Paris', saw: 'Rome', held: false }]],
        },
      ],
    });
    expect(await simulate({})).toMatchObject({ reason: 'trigger_not_matched' });
    expect(await simulate({ city: 'Paris', contact_owner: mail('BOB') })).toMatchObject({
      reason: 'owner_present',
    });
    expect(await everything()).toEqual(before);
  });

  it('counts the record for the owner in them, as a dispatch of it does [contract 4, contract 6]', async () => {
    const account = await open({ distribution_model: 'load balanced', overwrite: true });
    for (const name of ['ada', 'ada', 'bob']) await account.contact({ contact_owner: mail(name) });
    // The record is not counted for its present owner: ada owns two others.
    const fields = { contact_owner: mail('ada') };
    const simulated = (await account.simulate('R', { fields })).body;
    await account.dispatch('R', await account.contact(fields));
    const { trace } = (await account.log()).at(-1)!;
    expect(simulated.trace).toEqual(trace);
    expect(simulated.trace.at(-1).rows).toEqual([
      [mail('ada'), 2, 0],
      [mail('bob'), 1, 0],
      [mail('eve'), 0, 0],
    ]);
  });

  it('says what the dispatch of a record with them does [contract 6]', async () => {
    const rules = [
      { name: 'Paris', trigger: condition('city', 'eq', 'Paris'), users: people(['eve']) },
      { name: 'Rome', trigger: condition('city', 'eq', 'Rome'), users: people(['bob']) },
    ];
    const account = await open({ rules });
    for (const city of ['Paris', 'Rome', 'Oslo']) {
      const fields = { first_name: 'Lead', city };
      const { body } = await account.simulate('R', { fields });
      const { body: told } = await account.dispatch('R', await account.contact(fields));
      expect([body.user, body.reason]).toEqual([told.user, told.reason]);
      expect((await account.log()).at(-1)!.trace).toEqual(body.trace);
    }
  });
});

describe('A simulation at an instant', () => {
  const at = async (account: RoutingAccount, instant: string, more: object = { fields: {} }): Promise<any> =>
    (await account.simulate('R', { ...more, at: instant })).body;

  it('counts an assignment until the instant at which its turn was returned [contract 4, contract 6]', async () => {
    const limited = [{ email: mail('ada'), limits: { hour: 1 } }];
    const account = await open(
      { reimburse_within_minutes: 10 },
      { users: [...limited, ...people(['bob', 'eve'], { available: false })] },
    );
    const id = await account.contact();
    expect(await account.assign('R', id)).toBe('ada');
    await account.api.patch(`/contacts/${id}`, { fields: { contact_owner: mail('bob') } });
    const { accountId } = await service.account(account.slug);
    const RETURNED = 'returned_at IS NOT NULL AND account_id = $1';
    const find = `SELECT created_at FROM assignments WHERE ${RETURNED}`;
    const [row] = await sql<{ created_at: Date }>(service, find, [accountId]);
    const minute = (n: number): string => new Date(row!.created_at.getTime() + n * 60_000).toISOString();
    await sql(service, `UPDATE assignments SET returned_at = $2 WHERE ${RETURNED}`, [accountId, minute(2)]);
    expect(await at(account, minute(1))).toMatchObject({ reason: 'assignment_limit_reached' });
    expect(await at(account, minute(3))).toMatchObject({ user: mail('ada') });
  });

  it('decides by working hours, absences and holidays at that instant [contract 4, contract 6]', async () => {
    const account = await open(
      {},
      {
        users: [
          { email: mail('ada'), working_hours: NINE_TO_FIVE },
          {
            email: mail('bob'),
            out_of_office: [{ from: '2026-06-01T00:00:00Z', to: '2026-06-08T00:00:00Z' }],
          },
          { email: mail('eve'), available: false },
        ],
        holidays: ['2026-12-25'],
      },
    );
    const id = await account.contact();
    const before = await everything();
    expect(await at(account, '2026-06-01T12:00:00Z')).toMatchObject({ user: mail('ada') });
    expect(await at(account, '2026-06-01T12:00:00Z', { object_id: id })).toMatchObject({ user: mail('ada') });
    expect(await at(account, '2026-06-01T18:00:00Z')).toMatchObject({ reason: 'no_users_available' });
    expect(await at(account, '2026-06-09T18:00:00Z')).toMatchObject({ user: mail('bob') });
    expect(await at(account, '2026-06-01T18:00:00+09:00')).toMatchObject({ user: mail('ada') });
    const { reason, trace } = await at(account, '2026-12-25T12:00:00Z');
    expect(reason).toBe('no_users_available');
    expect(trace.find((each: any) => each.step === 'eligibility').out).toEqual([
      { reasons: ['outside_working_hours'], users: [mail('ada'), mail('bob')] },
      { reasons: ['switched_off', 'outside_working_hours'], users: [mail('eve')] },
    ]);
    expect(await everything()).toEqual(before);
  });

  it('says so in owner_assigned_at [contract 4, contract 6]', async () => {
    const account = await open();
    const { owner_assigned_at } = await at(account, '2026-06-01T18:30:05+02:00');
    expect(owner_assigned_at).toBe('Mon, 01 Jun 2026 16:30:05 +0000');
    expect((await at(account, '2026-06-01')).owner_assigned_at).toBe('Mon, 01 Jun 2026 00:00:00 +0000');
  });
});
