// A second service on the database of the first.
import { equalShares, tijdeman, worstDeviation } from '../../support/fairness.js';
import { UNKNOWN_ID, UUID_V7 } from '../../support/record-types.js';
import { mail, nameOf, people, router, RoutingAccount, tally } from '../../support/routing-account.js';
import { TestService } from '../../support/test-service.js';
import { condition } from '../../support/database/trigger-table.js';

const TEAM = ['ada', 'bob', 'eve'];
const NOT_FOUND = { status: 404, message: 'Object not found', error: true, code: 'not_found' };

let service: TestService;
let second: TestService;

beforeAll(async () => {
  service = await TestService.shared();
  second = await TestService.start({ database: service.database });
});
afterAll(async () => {
  await second.stop();
  await service.stop();
});

const open = (settings: object = {}): Promise<RoutingAccount> =>
  RoutingAccount.open(service, {
    users: people(TEAM),
    routers: [router('R', settings, { users: people(TEAM) })],
  });

const contacts = (account: RoutingAccount, count: number): Promise<string[]> =>
  Promise.all(Array.from({ length: count }, () => account.contact()));

const namesOf = (results: readonly { user: string }[]): string[] => results.map(({ user }) => nameOf(user));

/** Returns the entry of a batch for an assignment. */
const assigned = (object_id: string, name: string, more: object = {}): object => ({
  object_id,
  status: 200,
  message: 'The object was successfully assigned',
  success: true,
  user: mail(name),
  field_name: 'contact_owner',
  owner_assigned_at: expect.stringMatching(/^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d \+0000$/),
  assignment_id: expect.any(String),
  reason: 'round_robin',
  ...more,
});

describe('POST /dispatch/batch', () => {
  it('answers in the order of the request with what single dispatches would have said [contract 6]', async () => {
    const account = await open({ trigger: condition('city', 'neq', 'Atlantis') });
    const [one, two, three] = await contacts(account, 3);
    const owned = await account.contact({ contact_owner: mail('eve') });
    const other = await account.contact({ city: 'Atlantis' });
    const { status, headers, body } = await account.batch('R', [three, other, one, owned, two]);
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        results: [
          assigned(three!, 'ada'),
          {
            object_id: other,
            status: 200,
            message: 'Trigger did not match',
            success: false,
            reason: 'trigger_not_matched',
            assignment_id: expect.any(String),
          },
          assigned(one!, 'bob'),
          {
            object_id: owned,
            status: 200,
            message: 'The router can not overwrite',
            success: false,
            reason: 'owner_present',
            user: mail('eve'),
            assignment_id: expect.any(String),
          },
          assigned(two!, 'eve'),
        ],
      },
    });
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');

    const log = await account.log();
    expect(log.map((run) => run.object_id)).toEqual([three, other, one, owned, two]);
    for (const { object_id, user, assignment_id } of body.results.filter((each: any) => each.success)) {
      expect(log.find((run) => run.id === assignment_id)).toMatchObject({ object_id, user_email: user });
      expect((await account.api.get(`/contacts/${object_id}`)).body.contact_owner).toBe(user);
    }
    // A single dispatch continues the rotation after the batch.
    expect(await account.turns('R', 1)).toBe('ada');
  });

  it.each([1, 64, 65, 100])(
    'takes %i objects, and is fair over them [contract 4, contract 6]',
    async (count) => {
      const account = await open();
      const ids = await contacts(account, count);
      const { status, body } = await account.batch('R', ids);
      expect(status).toBe(200);
      expect(body.results.map((each: any) => each.object_id)).toEqual(ids);
      const names = namesOf(body.results);
      expect(names).toEqual(ids.map((_, index) => TEAM[index % 3]));
      expect(worstDeviation(names, equalShares(TEAM))).toBeLessThanOrEqual(tijdeman(3));
      expect((await account.log()).map((run) => run.object_id)).toEqual(ids);
      expect((await account.rotation('R')).seq).toBe(count);
    },
  );

  it('keeps percentages and loads over a batch [contract 4, contract 6]', async () => {
    const shares = { ada: 60, bob: 30, eve: 10 };
    const users = Object.entries(shares).map(([name, percentage]) => ({ email: mail(name), percentage }));
    const account = await open();
    await account.apply({
      routers: [
        router('Shares', { distribution_model: 'percentage' }, { users }),
        router('Loads', { distribution_model: 'load balanced' }, { users: people(TEAM) }),
      ],
    });
    const { body: split } = await account.batch('Shares', await contacts(account, 100));
    expect(tally(namesOf(split.results))).toEqual(shares);
    // Ada owns 60 now, bob 30 and eve 10. Eve gets records until she has as many as bob, then both until they
    // have as many as ada.
    const { body: levelled } = await account.batch('Loads', await contacts(account, 80));
    expect(tally(namesOf(levelled.results))).toEqual({ bob: 30, eve: 50 });
  });

  it('goes with other batches and single dispatches at the same time without losing a turn [contract 4, contract 6]', async () => {
    const account = await open();
    const elsewhere = account.through(second);
    const ids = await contacts(account, 90);
    await elsewhere.routerId('R');
    const answers = await Promise.all([
      account.batch('R', ids.slice(0, 40)).then(({ body }) => namesOf(body.results)),
      elsewhere.batch('R', ids.slice(40, 80)).then(({ body }) => namesOf(body.results)),
      ...ids.slice(80).map(async (id, index) => [await (index % 2 ? account : elsewhere).assign('R', id)]),
    ]);
    expect(tally(answers.flat())).toEqual({ ada: 30, bob: 30, eve: 30 });
    const log = await account.log();
    expect(log.map((run) => nameOf(run.user_email!))).toEqual(Array(30).fill(TEAM).flat());
    expect(new Set(log.map((run) => run.object_id)).size).toBe(90);
  });

  it('is not spoiled by one bad id [contract 4, contract 6]', async () => {
    const account = await open();
    const stranger = await open();
    const [one, two, archived] = await contacts(account, 3);
    await account.api.delete(`/contacts/${archived}`);
    const company = await account.create('companies', { company_name: 'Acme' });
    const foreign = await stranger.contact();
    const bad = ['not-an-id', '', UNKNOWN_ID, foreign, `${one}0`, '\u{1F600}'];
    const { status, body, headers } = await account.batch('R', [...bad, one, archived, company, two]);
    expect(status).toBe(200);
    const request_id = headers.get('x-request-id');
    expect(request_id).toMatch(UUID_V7);
    expect(body.results).toEqual([
      ...bad.map((object_id) => ({ object_id, ...NOT_FOUND, request_id })),
      assigned(one!, 'ada'),
      {
        object_id: archived,
        status: 409,
        message: 'The object is archived and cannot be assigned',
        error: true,
        code: 'archived',
        request_id,
      },
      {
        object_id: company,
        status: 400,
        message: 'This router is for contacts; the object is one of companies',
        error: true,
        code: 'invalid_request',
        request_id,
        field: 'object_id',
        errors: [
          { field: 'object_id', message: 'This router is for contacts; the object is one of companies' },
        ],
      },
      assigned(two!, 'bob'),
    ]);
    expect((await account.log()).map((run) => run.object_id)).toEqual([one, two]);
    expect(await stranger.log()).toEqual([]);
  });

  it('says of each what a single dispatch says [contract 4, contract 6]', async () => {
    const account = await open();
    const archived = await account.contact();
    await account.api.delete(`/contacts/${archived}`);
    const deal = await account.create('deals', { deal_name: 'Big', deal_stage: 'new', pipeline: 'default' });
    const owned = await account.contact({ contact_owner: mail('ada') });
    const ids = ['x', UNKNOWN_ID, archived, deal, owned];
    const { body, headers } = await account.batch('R', ids);
    for (const [index, id] of ids.entries()) {
      const single = await account.dispatch('R', id);
      const own = single.status === 200 ? {} : { request_id: headers.get('x-request-id') };
      const { assignment_id: entry, ...said } = single.body;
      const ran = entry === undefined ? {} : { assignment_id: expect.any(String) };
      expect(body.results[index]).toEqual({ object_id: id, status: single.status, ...said, ...ran, ...own });
    }
  });

  it('with nothing but bad ids still answers 200 [contract 6]', async () => {
    const account = await open();
    const { status, body, headers } = await account.batch('R', ['x', 'x', UNKNOWN_ID]);
    const request_id = headers.get('x-request-id');
    const results = ['x', 'x', UNKNOWN_ID].map((object_id) => ({ object_id, ...NOT_FOUND, request_id }));
    expect({ status, body }).toEqual({ status: 200, body: { results } });
    expect(await account.log()).toEqual([]);
  });

  it('with the same id twice: the second sees what the first did [contract 4, contract 6]', async () => {
    const account = await open();
    const [one, two] = await contacts(account, 2);
    const { body } = await account.batch('R', [one, one, two, one!.toUpperCase()]);
    const refused = {
      status: 200,
      message: 'The router can not overwrite',
      success: false,
      reason: 'owner_present',
      user: mail('ada'),
      assignment_id: expect.any(String),
    };
    expect(body.results).toEqual([
      assigned(one!, 'ada'),
      { object_id: one, ...refused },
      assigned(two!, 'bob'),
      { object_id: one!.toUpperCase(), ...refused },
    ]);
    expect((await account.log()).filter((run) => run.user_email !== null)).toHaveLength(2);
  });

  it('with the same id twice, where the router overwrites: each takes a turn [contract 4, contract 6]', async () => {
    const account = await open({ overwrite: true });
    const id = await account.contact();
    const { body } = await account.batch('R', [id, id, id, id]);
    expect(namesOf(body.results)).toEqual(['ada', 'bob', 'eve', 'ada']);
    expect(new Set(body.results.map((each: any) => each.assignment_id)).size).toBe(4);
    const log = await account.log();
    expect(log.map((run) => run.previous_user)).toEqual([null, mail('ada'), mail('bob'), mail('eve')]);
    expect((await account.api.get(`/contacts/${id}`)).body.contact_owner).toBe(mail('ada'));
  });

  it('of records whose long fields decide runs eight at a time, in order, and sees all of each [contract 4, contract 6]', async () => {
    const notes = ['one', 'two', 'three'].map((name) => `notes_${name}`);
    // What the trigger does not name is not read.
    const groups = notes.map((field) => ({
      conditions: [{ field, operator: 'ends_with', value: 'the end' }],
    }));
    const account = await RoutingAccount.open(service, {
      users: people(TEAM),
      fields: notes.map((name) => ({
        object_type: 'contacts',
        internal_name: name,
        type: 'string',
        long: true,
      })),
      routers: [router('R', { trigger: { groups } }, { users: people(TEAM) })],
    });
    const long = Object.fromEntries(
      notes.map((name) => [name, `${'x'.repeat(250 * 1024)}${name === 'notes_three' ? ' the end' : ''}`]),
    );
    const ids: string[] = [];
    for (let n = 0; n < 14; n++) {
      ids.push(
        await account.contact(n % 5 === 4 ? { notes_three: 'The end' } : { ...long, last_name: `${n}` }),
      );
    }
    ids.reverse();
    const { body } = await account.batch('R', ids);
    expect(body.results).toEqual(ids.map((id, n) => assigned(id, TEAM[n % 3]!)));
    const log = await account.log();
    expect(log.map((run) => run.object_id)).toEqual(ids);
    // The assignments of a transaction have one instant. The first record of a batch has its own.
    const together = new Map<number, number>();
    for (const { created_at } of log) together.set(+created_at, (together.get(+created_at) ?? 0) + 1);
    expect([...together.values()]).toEqual([1, 8, 5]);
    for (const id of [ids[0]!, ids[13]!]) {
      const { body: kept } = await account.api.get(`/contacts/${id}?properties=${notes.join()}`);
      expect(kept).toMatchObject({ ...long, contact_owner: expect.any(String) });
    }
  });
});
