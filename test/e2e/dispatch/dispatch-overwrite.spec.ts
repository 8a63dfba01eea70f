import { mail, people, router, RoutingAccount } from '../../support/routing-account.js';
import { away, hoursFromNow, inside, onHoliday, outside } from '../../support/processes/presence.js';
import { sql } from '../../support/database/stored-records.js';
import { TestService } from '../../support/test-service.js';

const past = { out_of_office: [{ from: hoursFromNow(-48), to: hoursFromNow(-24) }] };
const future = { out_of_office: [{ from: hoursFromNow(24), to: hoursFromNow(48) }] };

/** Owners, and the reasons why they are unavailable. */
const UNAVAILABLE: Record<string, { user: object; reasons: string[] }> = {
  off: { user: { available: false }, reasons: ['switched_off'] },
  away: { user: away(), reasons: ['out_of_office'] },
  asleep: { user: outside(), reasons: ['outside_working_hours'] },
  partying: { user: onHoliday(), reasons: ['outside_working_hours'] },
  everything: {
    user: { available: false, ...away(), ...outside() },
    reasons: ['switched_off', 'out_of_office', 'outside_working_hours'],
  },
  gone: { user: {}, reasons: ['not_a_user'] },
};
const AVAILABLE: Record<string, object> = { there: {}, busy: inside(), back: past, leaving: future };
const OWNERS = [...Object.keys(UNAVAILABLE), ...Object.keys(AVAILABLE)];

const SETTINGS = {
  none: {},
  overwrite: { overwrite: true },
  if_unavailable: { overwrite_if_unavailable: true },
  both: { overwrite: true, overwrite_if_unavailable: true },
};

let service: TestService;
let account: RoutingAccount;
const owned = new Map<string, string>();

beforeAll(async () => {
  service = await TestService.shared();
  account = await RoutingAccount.open(service, {
    users: [
      ...people(['ada']),
      ...Object.entries(UNAVAILABLE).map(([name, { user }]) => ({ email: mail(name), ...user })),
      ...Object.entries(AVAILABLE).map(([name, user]) => ({ email: mail(name), ...user })),
    ],
    fields: [{ object_type: 'contacts', internal_name: 'second_owner', type: 'user' }],
    routers: [
      ...Object.entries(SETTINGS).map(([name, settings]) =>
        router(name, settings, { users: people(['ada']) }),
      ),
      router('second', { owner_field: 'second_owner' }, { users: people(['ada']) }),
      router('nobody', { overwrite: true }, { users: people(['off']) }),
    ],
  });
  for (const owner of OWNERS) owned.set(owner, await account.contact({ contact_owner: mail(owner) }));
  await account.loseUser('gone');
  // Raises the configuration version, as the removal of a user does.
  await account.apply({ users: [{ email: mail('ada'), name: 'Ada' }] });
});
afterAll(() => service.stop());

/** Sets the owner of a contact back. The owner may not be a user any more. */
async function giveBack(owner: string): Promise<string> {
  const id = owned.get(owner)!;
  await sql(service, `UPDATE records SET fields = jsonb_set(fields, '{contact_owner}', $2) WHERE id = $1`, [
    id,
    JSON.stringify(mail(owner)),
  ]);
  return id;
}

const overwriteStep = async (): Promise<unknown> =>
  (await account.log()).at(-1)!.trace.find(({ step }) => step === 'overwrite');

describe('Neither overwrite nor overwrite_if_unavailable', () => {
  it.each(OWNERS)('leaves every owner be, in whatever state: %s [contract 4]', async (owner) => {
    const id = await giveBack(owner);
    expect(await account.assign('none', id)).toBe('owner_present');
    expect((await account.api.get(`/contacts/${id}`)).body.contact_owner).toBe(mail(owner));
    expect(await overwriteStep()).toEqual({
      step: 'overwrite',
      field: 'contact_owner',
      owner: mail(owner),
      allowed: false,
      because: 'owner_present',
    });
  });
});

describe.each(['overwrite', 'both'])('The settings %s', (name) => {
  it.each(OWNERS)('replace every owner, in whatever state: %s [contract 4]', async (owner) => {
    const id = await giveBack(owner);
    expect(await account.assign(name, id)).toBe('ada');
    expect((await account.log()).at(-1)).toMatchObject({
      previous_user: mail(owner),
      user_email: mail('ada'),
    });
    expect(await overwriteStep()).toMatchObject({ owner: mail(owner), allowed: true, because: 'overwrite' });
  });
});

describe('overwrite_if_unavailable alone', () => {
  it.each(Object.entries(UNAVAILABLE))(
    'replaces an owner who is %s [contract 4]',
    async (owner, { reasons }) => {
      const id = await giveBack(owner);
      expect(await account.assign('if_unavailable', id)).toBe('ada');
      expect((await account.api.get(`/contacts/${id}`)).body.contact_owner).toBe(mail('ada'));
      expect(await overwriteStep()).toEqual({
        step: 'overwrite',
        field: 'contact_owner',
        owner: mail(owner),
        allowed: true,
        because: 'owner_unavailable',
        unavailable: reasons,
      });
    },
  );

  it.each(Object.keys(AVAILABLE))('leaves an owner be who is %s [contract 4]', async (owner) => {
    const id = await giveBack(owner);
    const { status, body } = await account.dispatch('if_unavailable', id);
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        message: 'The router can not overwrite',
        success: false,
        reason: 'owner_present',
        user: mail(owner),
        assignment_id: (await account.log()).at(-1)!.id,
      },
    });
    expect((await account.api.get(`/contacts/${id}`)).body.contact_owner).toBe(mail(owner));
  });

  it('follows the owner’s availability from dispatch to dispatch [contract 4]', async () => {
    const id = await giveBack('there');
    expect(await account.assign('if_unavailable', id)).toBe('owner_present');
    await account.apply({ users: [{ email: mail('there'), available: false }] });
    expect(await account.assign('if_unavailable', id)).toBe('ada');
    await account.apply({ users: [{ email: mail('there'), available: true }] });
    await giveBack('there');
    expect(await account.assign('if_unavailable', id)).toBe('owner_present');
  });
});

describe('Whatever the settings', () => {
  it.each(Object.keys(SETTINGS))('a record without an owner gets one: %s [4.6, contract 4]', async (name) => {
    expect(await account.turns(name, 1)).toBe('ada');
    expect(await overwriteStep()).toMatchObject({ owner: null, allowed: true, because: 'no_owner' });
  });

  it('only the router’s own owner field counts [contract 4]', async () => {
    const id = await giveBack('there');
    expect(await account.assign('second', id)).toBe('ada');
    expect(await account.assign('second', id)).toBe('owner_present');
    const { body } = await account.api.get(`/contacts/${id}?properties=second_owner`);
    expect(body).toMatchObject({ contact_owner: mail('there'), second_owner: mail('ada') });
  });

  it('an owner stays when nobody is available to follow [contract 4]', async () => {
    const id = await giveBack('there');
    expect(await account.assign('nobody', id)).toBe('no_users_available');
    expect((await account.api.get(`/contacts/${id}`)).body.contact_owner).toBe(mail('there'));
  });
});
