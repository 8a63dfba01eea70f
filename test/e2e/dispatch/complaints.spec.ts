// Second services on the database of the first.
import { equalShares, tijdeman, worstDeviation } from '../../support/fairness.js';
import { away, outside } from '../../support/processes/presence.js';
import { archiveUser } from '../../support/archive-user.js';
import { mail, nameOf, people, router, RoutingAccount, tally } from '../../support/routing-account.js';
import { TestService } from '../../support/test-service.js';
import { condition } from '../../support/database/trigger-table.js';

const TEAM = ['ada', 'bob', 'eve', 'dan'];
const MODELS = ['round robin', 'percentage', 'load balanced'];

let service: TestService;
let other: TestService;
const started: TestService[] = [];

beforeAll(async () => {
  service = await TestService.shared();
  other = await TestService.start({ database: service.database });
});
afterAll(async () => {
  for (const each of started) await each.stop();
  await other.stop();
  await service.stop();
});

/** An account with the router R over these people. */
const open = (
  settings: object = {},
  names: readonly string[] = TEAM,
  file: object = {},
): Promise<RoutingAccount> =>
  RoutingAccount.open(service, {
    users: people(TEAM),
    ...file,
    routers: [router('R', settings, { users: people(names) })],
  });

const shares = (percentages: Readonly<Record<string, number>>): object => ({
  users: Object.entries(percentages).map(([name, percentage]) => ({ email: mail(name), percentage })),
});

describe('No complaint that', () => {
  it.each(MODELS)(
    'inactive or out-of-office people are still assigned: %s [4.6, contract 4]',
    async (model) => {
      const names = ['off', 'away', 'out', 'gone', 'ada'];
      const account = await RoutingAccount.open(service, {
        users: [
          ...people(names.slice(-2)),
          { email: mail('off'), available: false },
          { email: mail('away'), ...away() },
          { email: mail('out'), ...outside() },
        ],
        routers: [
          router(
            'R',
            { distribution_model: model },
            { users: people(names, model === 'percentage' ? { percentage: 20 } : {}) },
          ),
        ],
      });
      await archiveUser(account, mail('gone'));
      const ids = await Promise.all(Array.from({ length: 6 }, () => account.contact()));
      const { body } = await account.batch('R', ids);
      expect(body.results.map(({ user }: { user: string }) => user)).toEqual(Array(6).fill(mail('ada')));
      expect(await account.turns('R', 2)).toBe('ada ada');
      const { trace } = (await account.log()).at(-1)!;
      const step = trace.find((each) => each.step === 'eligibility');
      expect(step).toMatchObject({ in: [mail('ada')] });
      expect(step.out).toEqual(
        expect.arrayContaining([
          { reasons: ['switched_off'], users: [mail('off')] },
          { reasons: ['out_of_office'], users: [mail('away')] },
          { reasons: ['outside_working_hours'], users: [mail('out')] },
        ]),
      );
    },
  );

  it('records are silently left unassigned, with no reason given [4.6, 4.7, contract 4, contract 6]', async () => {
    const never = condition('city', 'eq', 'Atlantis');
    const nobody = { users: people(['off']) };
    const account = await RoutingAccount.open(service, {
      users: [
        ...people(['ada']),
        { email: mail('off'), available: false },
        { email: mail('full'), limits: { day: 0 } },
      ],
      routers: [
        router('Draft', {}, { published: false }),
        router('Empty', null),
        router('Never', { trigger: never }),
        router('Rules', { rules: [{ name: 'Never', trigger: never, ...nobody }] }),
        router('Owned', {}, { users: people(['ada']) }),
        router('Full', {}, { users: people(['full']) }),
        router('Nobody', {}, nobody),
        router('Shares', { distribution_model: 'percentage' }, shares({ off: 100, ada: 0 })),
      ],
    });
    const owned = await account.contact({ contact_owner: mail('ada') });
    const free = await account.contact();
    const expected = [
      ['Draft', free, 'router_unpublished', 'The router is unpublished'],
      ['Empty', free, 'router_has_no_settings', 'The router has no settings'],
      ['Never', free, 'trigger_not_matched', 'Trigger did not match'],
      ['Rules', free, 'no_rule_matched', 'Trigger did not match'],
      ['Owned', owned, 'owner_present', 'The router can not overwrite'],
      ['Full', free, 'assignment_limit_reached', 'Assignment limit reached'],
      ['Nobody', free, 'no_users_available', 'There are no users available and the backup user is disabled'],
      ['Shares', free, 'no_users_available', 'There are no users available and the backup user is disabled'],
    ] as const;
    for (const [name, id, reason, message] of expected) {
      const { status, body } = await account.dispatch(name, id);
      const present = reason === 'owner_present' ? { user: expect.any(String) } : {};
      expect({ status, body }).toEqual({
        status: 200,
        body: { message, success: false, reason, ...present, assignment_id: expect.any(String) },
      });
    }
    const { body: list } = await account.api.get('/assignments?limit=100');
    expect(list.data.map((run: any) => [run.object_id, run.user, run.reason, run.message]).reverse()).toEqual(
      expected.map(([, id, reason, message]) => [id, null, reason, message]),
    );
    for (const { id } of list.data) {
      const { body } = await account.api.get(`/assignments/${id}`);
      expect(body.trace.length).toBeGreaterThan(0);
    }
  });

  it('double picks happen under concurrency [4.6, contract 4]', async () => {
    const account = await open({ overwrite: false });
    const elsewhere = account.through(other);
    const routerId = await account.routerId('R');
    expect(await elsewhere.routerId('R')).toBe(routerId);
    const ids = await Promise.all(Array.from({ length: 20 }, () => account.contact()));
    // Each of two processes dispatches each record twice. One of the four dispatches assigns it.
    const attempts = [account, elsewhere, account, elsewhere].flatMap((each) =>
      ids.map((id) => each.assign('R', id)),
    );
    expect(tally(await Promise.all(attempts))).toEqual({ ada: 5, bob: 5, eve: 5, dan: 5, owner_present: 60 });
    const assigned = (await account.log()).filter((run) => run.user_email !== null);
    expect(assigned.map((run) => run.object_id).sort()).toEqual([...ids].sort());
    expect(assigned.map((run) => nameOf(run.user_email!))).toEqual(Array(5).fill(TEAM).flat());
  });

  it.each(['round robin', 'load balanced'])(
    'a bulk insert all goes to one person: %s [contract 4, contract 6]',
    async (model) => {
      const account = await open({ distribution_model: model });
      const ids = await Promise.all(Array.from({ length: 100 }, () => account.contact()));
      const { body } = await account.batch('R', ids);
      const names = body.results.map(({ user }: { user: string }) => nameOf(user));
      expect(tally(names)).toEqual({ ada: 25, bob: 25, eve: 25, dan: 25 });
      expect(worstDeviation(names, equalShares(TEAM))).toBeLessThanOrEqual(tijdeman(4));
    },
  );

  it('ties always favour the first [contract 4]', async () => {
    const account = await open({ distribution_model: 'load balanced' });
    const taken: string[] = [];
    for (let run = 0; run < 12; run++) {
      const id = await account.contact();
      taken.push(await account.assign('R', id));
      // Closed at once, so that everybody always owns the same number.
      await account.api.delete(`/contacts/${id}`);
    }
    expect(taken).toEqual([...TEAM, ...TEAM, ...TEAM]);
  });

  it('a new member is flooded [contract 4]', async () => {
    const account = await open({}, ['ada', 'bob', 'eve']);
    await account.turns('R', 30);
    await account.apply({ routers: [{ name: 'R', users: people(TEAM) }] });
    const turns = await account.turns('R', 12);
    expect(tally(turns.split(' '))).toEqual({ ada: 3, bob: 3, eve: 3, dan: 3 });
    expect(turns).not.toContain('dan dan');
  });

  it('a returning member is flooded [contract 4]', async () => {
    const account = await open();
    await account.turns('R', 7);
    await account.apply({ users: [{ email: mail('ada'), available: false }] });
    await account.turns('R', 30);
    await account.apply({ users: [{ email: mail('ada'), available: true }] });
    const turns = await account.turns('R', 12);
    expect(tally(turns.split(' '))['ada']).toBeGreaterThanOrEqual(3);
    expect(tally(turns.split(' '))['ada']).toBeLessThanOrEqual(4);
    expect(turns).not.toContain('ada ada');
  });

  it('who has the fewest records is flooded past a limit of his own [contract 4]', async () => {
    const account = await open({ distribution_model: 'load balanced' }, ['ada', 'bob']);
    await account.turns('R', 20);
    await account.apply({
      users: [{ email: mail('dan'), limits: { hour: 3 } }],
      routers: [{ name: 'R', users: people(['ada', 'bob', 'dan']) }],
    });
    expect(tally((await account.turns('R', 9)).split(' '))).toEqual({ dan: 3, ada: 3, bob: 3 });
  });

  it('the rotation is lost when membership changes [contract 4]', async () => {
    const account = await open({}, ['ada', 'bob', 'eve']);
    expect(await account.turns('R', 4)).toBe('ada bob eve ada');
    await account.apply({ routers: [{ name: 'R', users: people(['eve', 'ada', 'bob']) }] });
    expect(await account.turns('R', 2)).toBe('bob eve');
    await account.apply({ routers: [{ name: 'R', users: people(['eve', 'bob']) }] });
    expect(await account.turns('R', 2)).toBe('bob eve');
    await account.apply({ routers: [{ name: 'R', users: people(['eve', 'bob', 'dan', 'ada']) }] });
    expect(tally((await account.turns('R', 8)).split(' '))).toEqual({ ada: 2, bob: 2, eve: 2, dan: 2 });
  });

  it('the rotation is lost when the process restarts [contract 4]', async () => {
    const account = await open();
    expect(await account.turns('R', 6)).toBe('ada bob eve dan ada bob');
    started.push(await TestService.start({ database: service.database }));
    expect(await account.through(started.at(-1)!).turns('R', 6)).toBe('eve dan ada bob eve dan');
  });

  it('open counts are wrong [3, 4.4, 4.5, contract 4]', async () => {
    const account = await open({ distribution_model: 'load balanced', overwrite: true });
    const owned = async (): Promise<Record<string, number>> => {
      const { status, body } = await account.simulate('R', { fields: {} });
      expect(status).toBe(200);
      const { columns, rows } = body.trace.find((each: any) => each.step === 'distribution');
      const place = columns.indexOf('owned');
      return Object.fromEntries(rows.map((row: any[]) => [nameOf(row[0]), row[place]]));
    };
    const ids: string[] = [];
    for (let run = 0; run < 8; run++) {
      ids.push(await account.contact());
      await account.assign('R', ids.at(-1));
    }
    expect(await owned()).toEqual({ ada: 2, bob: 2, eve: 2, dan: 2 });
    const patch = (index: number, owner: string | null) =>
      account.api.patch(`/contacts/${ids[index]}`, { fields: { contact_owner: owner } });
    await patch(0, mail('bob').toUpperCase());
    expect(await owned()).toEqual({ ada: 1, bob: 3, eve: 2, dan: 2 });
    await patch(2, null);
    expect(await owned()).toEqual({ ada: 1, bob: 3, eve: 1, dan: 2 });
    await account.api.delete(`/contacts/${ids[3]}`);
    expect(await owned()).toEqual({ ada: 1, bob: 3, eve: 1, dan: 1 });
    await account.contact({ contact_owner: mail('dan') });
    await account.create('companies', { company_name: 'Acme', company_owner: mail('eve') });
    expect(await owned()).toEqual({ ada: 1, bob: 3, eve: 1, dan: 2 });
    // A second dispatch gives bob's record to the user with the fewest. Bob's count excludes the record that
    // he is about to lose.
    expect(await account.assign('R', ids[0])).toBe('ada');
    expect(await owned()).toEqual({ ada: 2, bob: 2, eve: 1, dan: 2 });
  });

  it('postcodes of a file lose their zeros, or its numbers their exponents [contract 3, contract 5]', async () => {
    const fields = ['zip: string', 'score: number'].map((each) => {
      const [internal_name, type] = each.split(': ');
      return { object_type: 'contacts', internal_name, type };
    });
    const account = await open({}, TEAM, { fields });
    const settings = `trigger: { groups: [
      { conditions: [{ field: zip, operator: in, value: [01234, 1.10, 1e3] }] },
      { conditions: [{ field: score, operator: gte, value: 1e3 }] } ] }`;
    const text = `accounts: [{ slug: ${account.slug}, routers: [{ name: R, settings: { ${settings} } }] }]`;
    await service.apply(text);
    const matches = async (fields: object): Promise<boolean> =>
      (await account.simulate('R', { fields: { first_name: 'A', ...fields } })).body.success;
    for (const zip of ['01234', '1.10', '1e3']) expect([zip, await matches({ zip })]).toEqual([zip, true]);
    for (const zip of ['1234', '1.1', '1000']) expect([zip, await matches({ zip })]).toEqual([zip, false]);
    expect([await matches({ score: 1000 }), await matches({ score: 999 })]).toEqual([true, false]);
    const before = await account.version();
    await service.apply(text);
    await account.apply(await account.exported());
    expect(await account.version()).toBe(before);
  });

  it('weights that sum to zero crash [4.6, contract 4]', async () => {
    const account = await open();
    const zero = { name: 'R', settings: { distribution_model: 'percentage' }, ...shares({ ada: 0, bob: 0 }) };
    await expect(account.apply({ routers: [zero] })).rejects.toThrow(
      'accounts[0].routers[0].users: percentages must sum to 100, not 0',
    );
    expect(await account.turns('R', 2)).toBe('ada bob');
    await account.apply({ routers: [{ ...zero, ...shares({ ada: 100, bob: 0 }) }] });
    expect(await account.turns('R', 2)).toBe('ada ada');
    await account.apply({ users: [{ email: mail('ada'), available: false }] });
    expect(await account.turns('R', 2)).toBe('no_users_available no_users_available');
    await account.apply({ routers: [{ name: 'R', settings: { default_user: mail('eve') } }] });
    expect((await account.dispatch('R', await account.contact())).body).toMatchObject({
      user: mail('eve'),
      reason: 'default_user',
    });
    await account.apply({ users: [{ email: mail('ada'), available: true }] });
    expect(await account.turns('R', 2)).toBe('ada ada');
  });
});
