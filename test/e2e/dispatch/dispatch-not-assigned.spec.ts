import { mail, people, router, RoutingAccount } from '../../support/routing-account.js';
import { backdate } from '../../support/database/stored-records.js';
import { TestService } from '../../support/test-service.js';

const NOBODY = 'There are no users available and the backup user is disabled';
const NEVER = { groups: [{ conditions: [{ field: 'city', operator: 'eq', value: 'Atlantis' }] }] };

/** Why nobody is assigned: the router, the record, the answer, and the last step of the trace. */
const REFUSALS = [
  {
    why: 'the trigger does not match',
    configured: router('R', { trigger: NEVER }, { users: people(['ada']) }),
    message: 'Trigger did not match',
    reason: 'trigger_not_matched',
    step: {
      step: 'trigger',
      matched: false,
      groups: [[{ ...NEVER.groups[0]!.conditions[0]!, saw: 'Paris', held: false }]],
    },
  },
  {
    why: 'the router is unpublished',
    configured: router('R', {}, { published: false, users: people(['ada']) }),
    message: 'The router is unpublished',
    reason: 'router_unpublished',
    step: { step: 'router', published: false, settings: true },
  },
  {
    why: 'the router is unpublished and has no settings',
    configured: router('R', null, { published: false, users: people(['ada']) }),
    message: 'The router is unpublished',
    reason: 'router_unpublished',
    step: { step: 'router', published: false, settings: false },
  },
  {
    why: 'the router has no settings',
    configured: router('R', null, { users: people(['ada']) }),
    message: 'The router has no settings',
    reason: 'router_has_no_settings',
    step: { step: 'router', published: true, settings: false },
  },
  {
    why: 'there is an owner, whom the router can not overwrite',
    configured: router('R', {}, { users: people(['ada']) }),
    owner: mail('bob'),
    message: 'The router can not overwrite',
    reason: 'owner_present',
    step: {
      step: 'overwrite',
      field: 'contact_owner',
      owner: mail('bob'),
      allowed: false,
      because: 'owner_present',
    },
  },
  {
    why: 'nobody is available and there is no backup',
    configured: router('R', {}, { users: people(['off']) }),
    message: NOBODY,
    reason: 'no_users_available',
    step: { step: 'default_user', user: null, outcome: 'not_set' },
  },
  {
    why: 'nobody is available and the backup is disabled',
    configured: router(
      'R',
      { default_user: mail('ada'), disable_default_assignment: true },
      { users: people(['off']) },
    ),
    message: NOBODY,
    reason: 'no_users_available',
    step: { step: 'default_user', user: mail('ada'), outcome: 'disabled' },
  },
  {
    why: 'the router lists nobody',
    configured: router('R', {}),
    message: NOBODY,
    reason: 'no_users_available',
    step: { step: 'default_user', user: null, outcome: 'not_set' },
  },
  {
    why: 'the only team has no members',
    configured: router('R', { rotation_type: 'teams' }, { teams: [{ name: 'Nobody' }] }),
    message: NOBODY,
    reason: 'no_users_available',
    step: { step: 'default_user', user: null, outcome: 'not_set' },
  },
];

let service: TestService;

beforeAll(async () => {
  service = await TestService.shared();
});
afterAll(() => service.stop());

const open = (...routers: object[]): Promise<RoutingAccount> =>
  RoutingAccount.open(service, {
    users: [...people(['ada', 'bob']), { email: mail('off'), available: false }],
    teams: [{ name: 'Nobody', members: [] }],
    routers,
  });

describe('Nobody is assigned', () => {
  it.each(REFUSALS)(
    'when $why: 200, the reason, a log entry, and nothing changes [4.6, 4.7, contract 4]',
    async ({ configured, owner, message, reason, step }) => {
      const account = await open(configured);
      const id = await account.contact({
        city: 'Paris',
        ...(owner === undefined ? {} : { contact_owner: owner }),
      });
      await backdate(service, id);
      const before = await account.stored();

      const { status, headers, body } = await account.dispatch('R', id);

      const log = await account.log();
      const present = owner === undefined ? {} : { user: owner };
      const said = { message, success: false, reason, ...present, assignment_id: log[0]?.id };
      expect({ status, body }).toEqual({ status: 200, body: said });
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(await account.stored()).toEqual(before);
      expect(log).toMatchObject([
        {
          router_id: await account.routerId('R'),
          object_type: 'contacts',
          object_id: id,
          user_email: null,
          reason,
          message,
        },
      ]);
      expect(log[0]!.trace.at(-1)).toEqual(step);
    },
  );

  it('and the rotation stays where it is [contract 4]', async () => {
    const account = await open(router('R', {}, { users: people(['ada', 'bob']) }));
    const owned = await account.contact({ contact_owner: mail('bob') });
    expect(await account.turns('R', 1)).toBe('ada');
    const before = await account.rotation('R');
    for (let run = 0; run < 3; run++) expect(await account.assign('R', owned)).toBe('owner_present');
    expect(await account.rotation('R')).toEqual(before);
    expect(await account.turns('R', 1)).toBe('bob');
  });

  it('and every run is logged, also the same again [contract 4]', async () => {
    const account = await open(router('R', null));
    const id = await account.contact();
    for (let run = 0; run < 3; run++) await account.dispatch('R', id);
    const log = await account.log();
    expect(log.map(({ reason }) => reason)).toEqual(Array(3).fill('router_has_no_settings'));
    expect(new Set(log.map((entry) => entry.id)).size).toBe(3);
  });
});

describe('The first thing that stands in the way is the one that is told', () => {
  const off = { users: people(['off']) };

  it('unpublished before the trigger, the trigger before the owner, the owner before the users [4.6, contract 4]', async () => {
    const account = await open(router('R', { trigger: NEVER }, { ...off, published: false }));
    const id = await account.contact({ contact_owner: mail('bob') });
    expect(await account.assign('R', id)).toBe('router_unpublished');
    await account.apply({ routers: [{ name: 'R', published: true }] });
    expect(await account.assign('R', id)).toBe('trigger_not_matched');
    await account.apply({ routers: [{ name: 'R', settings: { trigger: { groups: [] } } }] });
    expect(await account.assign('R', id)).toBe('owner_present');
    await account.apply({ routers: [{ name: 'R', settings: { overwrite: true } }] });
    expect(await account.assign('R', id)).toBe('no_users_available');
    await account.apply({ routers: [{ name: 'R', users: people(['ada']) }] });
    expect(await account.assign('R', id)).toBe('ada');
  });
});
