import { ISO_TIME, UUID_V7 } from '../../support/record-types.js';
import { mail, people, router, RoutingAccount } from '../../support/routing-account.js';
import { backdate, LONG_AGO, sql } from '../../support/database/stored-records.js';
import { TestService } from '../../support/test-service.js';

const MESSAGE = 'The object was successfully assigned';
const RFC_2822 = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} \+0000$/;
const TYPES = [
  { type: 'contacts', owner: 'contact_owner', fields: { first_name: 'Lead', city: 'Paris' } },
  { type: 'companies', owner: 'company_owner', fields: { company_name: 'Acme', city: 'Paris' } },
  {
    type: 'deals',
    owner: 'deal_owner',
    fields: { deal_name: 'Big', deal_stage: 'new', pipeline: 'default', description: 'Paris' },
  },
  {
    type: 'tickets',
    owner: 'ticket_owner',
    fields: { ticket_name: 'Down', ticket_stage: 'new', pipeline: 'default', description: 'Paris' },
  },
];

/** RFC 2822 with its offset for UTC and a precision of seconds. */
const rfc2822 = (iso: string): string => new Date(iso).toUTCString().replace('GMT', '+0000');

let service: TestService;
let account: RoutingAccount;

beforeAll(async () => {
  service = await TestService.shared();
  account = await RoutingAccount.open(service, {
    users: people(['ada', 'bob']),
    fields: TYPES.map(({ type }) => ({ object_type: type, internal_name: 'second_owner', type: 'user' })),
    routers: [
      ...TYPES.flatMap(({ type }) => [
        router(type, {}, { object_type: type, users: people(['ada']) }),
        router(`${type} overwriting`, { overwrite: true }, { object_type: type, users: people(['bob']) }),
        router(
          `${type} second`,
          { owner_field: 'second_owner' },
          { object_type: type, users: people(['ada']) },
        ),
      ]),
    ],
  });
});
afterAll(() => service.stop());

describe.each(TYPES)('A dispatch of $type', ({ type, owner, fields }) => {
  const assigned = `${owner}_assigned_date`;
  const every = [...Object.keys(fields), owner, assigned, 'create_date', 'last_modified_date'];
  const read = async (id: string): Promise<any> =>
    (await account.api.get(`/${type}/${id}?properties=${every.join(',')}`)).body;

  it('answers who got it, in which field and when, and why [4, 4.6, 4.7, contract 4]', async () => {
    const id = await account.create(type, fields);
    const { status, headers, body } = await account.dispatch(type, id);
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        message: MESSAGE,
        success: true,
        user: 'ada@acme.test',
        field_name: owner,
        owner_assigned_at: expect.stringMatching(RFC_2822),
        assignment_id: expect.stringMatching(UUID_V7),
        reason: 'round_robin',
      },
    });
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(body.owner_assigned_at).toBe(rfc2822((await read(id))[assigned]));
  });

  it('sets owner, assigned date and times of the record, and nothing else [2.5, 4.6, contract 4]', async () => {
    const id = await account.create(type, fields);
    await backdate(service, id);
    const before = await read(id);
    expect(before).toMatchObject({ [owner]: null, [assigned]: null, updated_at: LONG_AGO });
    await account.dispatch(type, id);
    const after = await read(id);
    expect(after).toEqual({
      ...before,
      [owner]: 'ada@acme.test',
      [assigned]: expect.stringMatching(ISO_TIME),
      updated_at: after[assigned],
      last_modified_date: after[assigned],
    });
    expect(after[assigned] > LONG_AGO).toBe(true);
  });

  it('logs the run [4.6, contract 4]', async () => {
    const id = await account.create(type, { ...fields, [owner]: 'ada@acme.test' });
    const { body } = await account.dispatch(`${type} overwriting`, id);
    expect((await account.log()).at(-1)).toMatchObject({
      id: body.assignment_id,
      router_id: await account.routerId(`${type} overwriting`),
      object_type: type,
      object_id: id,
      user_email: 'bob@acme.test',
      previous_user: 'ada@acme.test',
      reason: 'round_robin',
      message: MESSAGE,
    });
  });

  it('sets another owner field where the router says so, with its own date [2.5, 4.6, contract 4]', async () => {
    const id = await account.create(type, { ...fields, [owner]: 'bob@acme.test' });
    await backdate(service, id);
    const { body } = await account.dispatch(`${type} second`, id);
    expect(body).toMatchObject({ success: true, user: 'ada@acme.test', field_name: 'second_owner' });
    const path = `/${type}/${id}?properties=${owner},${assigned},second_owner,second_owner_assigned_date`;
    const { body: record } = await account.api.get(path);
    expect(record).toMatchObject({
      [owner]: 'bob@acme.test',
      [assigned]: LONG_AGO,
      second_owner: 'ada@acme.test',
      second_owner_assigned_date: record.updated_at,
    });
    expect(body.owner_assigned_at).toBe(rfc2822(record.second_owner_assigned_date));
    expect((await account.log()).at(-1)).toMatchObject({ user_email: mail('ada'), previous_user: null });
  });
});

describe('A dispatch', () => {
  it('leaves the record as it is when its owner is chosen again [2.5, contract 4]', async () => {
    const id = await account.contact({ contact_owner: mail('bob') });
    await backdate(service, id);
    const before = await account.stored();
    const since = (await account.api.get(`/contacts/${id}?properties=contact_owner_assigned_date`)).body;
    const { body } = await account.dispatch('contacts overwriting', id);
    expect(body).toMatchObject({ success: true, user: mail('bob'), reason: 'already_owner' });
    expect(Date.parse(body.owner_assigned_at)).toBe(
      Math.floor(Date.parse(since.contact_owner_assigned_date) / 1_000) * 1_000,
    );
    expect(await account.stored()).toEqual(before);
    expect((await account.log()).at(-1)).toMatchObject({
      id: body.assignment_id,
      previous_user: mail('bob'),
      user_email: null,
    });
  });

  it('traces every step that was weighed, with what it saw [contract 4]', async () => {
    const condition = { field: 'city', operator: 'eq', value: 'paris' };
    await account.apply({
      users: [{ email: mail('eve'), available: false }],
      routers: [
        router(
          'Traced',
          { trigger: { groups: [{ conditions: [condition] }] } },
          { users: people(['ada', 'bob', 'eve']) },
        ),
      ],
    });
    const id = await account.contact({ city: 'Paris' });
    await account.dispatch('Traced', id);
    const [trigger, overwrite, eligibility, distribution, ...rest] = (await account.log()).at(-1)!.trace;
    expect(rest).toEqual([]);
    expect(trigger).toEqual({
      step: 'trigger',
      matched: true,
      groups: [[{ ...condition, saw: 'Paris', held: true }]],
    });
    expect(overwrite).toEqual({
      step: 'overwrite',
      field: 'contact_owner',
      owner: null,
      allowed: true,
      because: 'no_owner',
    });
    expect(eligibility).toEqual({
      step: 'eligibility',
      in: [mail('ada'), mail('bob')],
      out: [{ reasons: ['switched_off'], users: [mail('eve')] }],
    });
    expect(distribution).toMatchObject({ step: 'distribution', model: 'round robin', chosen: mail('ada') });
    expect(distribution.rows).toEqual([
      [mail('ada'), 0.5, 0, -0.5, 0],
      [mail('bob'), 0.5, 0, 0.5, 0],
    ]);
  });

  it('sees what a PATCH before it changed, and a PATCH after it what it changed [4.4, 4.6, contract 4]', async () => {
    const id = await account.contact({ contact_owner: mail('bob') });
    expect(await account.assign('contacts', id)).toBe('owner_present');
    await account.api.patch(`/contacts/${id}`, { fields: { contact_owner: null } });
    expect(await account.assign('contacts', id)).toBe('ada');
    const { body } = await account.api.patch(`/contacts/${id}`, { fields: { city: 'Rome' } });
    expect(body.contact_owner).toBe(mail('ada'));
  });

  it('takes ids in any case [4.6, 4.7, contract 1]', async () => {
    const id = await account.contact();
    const router_id = (await account.routerId('contacts')).toUpperCase();
    const { status, body } = await account.api.post('/dispatch/router', {
      router_id,
      object_id: id.toUpperCase(),
    });
    expect({ status, success: body.success }).toEqual({ status: 200, success: true });
    expect((await account.log()).at(-1)).toMatchObject({ object_id: id });
  });

  it('moves the rotation of its own router only [4.6, contract 4]', async () => {
    const routers = ['One', 'Two'].map((name) => router(name, {}, { users: people(['ada', 'bob']) }));
    await account.apply({ routers });
    expect([await account.turns('One', 3), await account.turns('Two', 1)]).toEqual(['ada bob ada', 'ada']);
    expect([(await account.rotation('One')).seq, (await account.rotation('Two')).seq]).toEqual([3, 1]);
    expect(await account.turns('One', 1)).toBe('bob');
    const rows = await sql(service, 'SELECT FROM rotations WHERE router_id = $1', [
      await account.routerId('One'),
    ]);
    expect(rows).toHaveLength(1);
  });
});
