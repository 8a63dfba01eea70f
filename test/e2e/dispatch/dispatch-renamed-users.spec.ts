import { renameUser } from '../../support/renaming.js';
import { mail, people, router, RoutingAccount, type AccountFile } from '../../support/routing-account.js';
import { sql } from '../../support/database/stored-records.js';
import { TestService } from '../../support/test-service.js';

let service: TestService;

beforeAll(async () => {
  service = await TestService.shared();
});
afterAll(() => service.stop());

const FULL = 'assignment_limit_reached';
const TO_EVE = { from: 'ada', to: 'eve' };

const open = (file: AccountFile): Promise<RoutingAccount> => RoutingAccount.open(service, file);

const limited = (name: string, limits: object): object => ({ email: mail(name), limits });

describe('A user with another e-mail', () => {
  it.each(['hour', 'day', 'week', 'month'])(
    'who is at the limit of the %s is still at it [contract 4, contract 6]',
    async (span) => {
      const account = await open({
        users: [limited('ada', { [span]: 2 })],
        routers: [router('R', {}, { users: people(['ada']) })],
      });
      expect(await account.turns('R', 1)).toBe('ada');
      await renameUser(account, TO_EVE);
      expect(await account.turns('R', 2)).toBe(`eve ${FULL}`);
      const { body } = await account.dispatch('R', await account.contact());
      const { body: entry } = await account.api.get(`/assignments/${body.assignment_id}`);
      const { out } = entry.trace.find(({ step }: { step: string }) => step === 'eligibility');
      expect(out).toEqual([{ reasons: [`${span}_limit_reached`], users: [mail('eve')], saw: ['2/2'] }]);
      // Whoever gets the former e-mail has assignments of their own.
      await account.apply({
        users: [limited('ada', { [span]: 1 })],
        routers: [router('R', {}, { users: people(['ada', 'eve']) })],
      });
      expect(await account.turns('R', 2)).toBe(`ada ${FULL}`);
    },
  );

  it('keeps the place in the rotation, in a team as alone [contract 4, contract 6]', async () => {
    const account = await open({
      users: people(['ada', 'bob', 'cam']),
      teams: [{ name: 'Sales', members: [mail('ada'), mail('bob')] }],
      routers: [
        router('R', {}, { users: people(['ada', 'bob', 'cam']) }),
        router('T', { rotation_type: 'teams' }, { users: people(['cam']), teams: [{ name: 'Sales' }] }),
        router('P', { rules: [{ name: 'All', users: people(['ada', 'bob']) }] }, { users: people(['cam']) }),
      ],
    });
    const control = await open({
      users: people(['ada', 'bob', 'cam']),
      teams: [{ name: 'Sales', members: [mail('ada'), mail('bob')] }],
      routers: [
        router('T', { rotation_type: 'teams' }, { users: people(['cam']), teams: [{ name: 'Sales' }] }),
      ],
    });
    expect(await account.turns('R', 1)).toBe('ada');
    expect(await account.turns('P', 1)).toBe('ada');
    const turns = (await control.turns('T', 6)).replaceAll('ada', 'eve').split(' ');
    expect([await account.turns('T', 1)]).toEqual([turns[0]!.replace('eve', 'ada')]);
    await renameUser(account, TO_EVE);
    expect(await account.turns('R', 3)).toBe('bob cam eve');
    expect(await account.turns('P', 3)).toBe('bob eve bob');
    expect(await account.turns('T', 5)).toBe(turns.slice(1).join(' '));
  });

  it('is weighed with all records owned, in a capacity as without one [contract 4, contract 6]', async () => {
    const account = await open({
      users: people(['ada', 'bob']),
      capacities: [
        {
          name: 'Leads',
          object_type: 'contacts',
          field: 'lifecycle_stage',
          values: ['lead'],
          users: [{ email: mail('ada'), max: 2 }],
        },
      ],
      routers: [router('L', { distribution_model: 'load balanced' }, { users: people(['ada', 'bob']) })],
    });
    const lead = { lifecycle_stage: 'lead', contact_owner: mail('ada') };
    await account.contact(lead);
    for (let n = 0; n < 2; n++) await account.contact({ contact_owner: mail('bob') });
    await renameUser(account, TO_EVE);
    // Eve owns one record and bob two; the next lead fills the capacity of eve.
    const full = await account.contact({ lifecycle_stage: 'lead' });
    expect(await account.assign('L', full)).toBe('eve');
    expect(await account.assign('L', await account.contact({ lifecycle_stage: 'lead' }))).toBe('bob');
    const [row] = await sql<{ owner: string }>(service, 'SELECT owner FROM records WHERE id = $1', [full]);
    expect(row?.owner).toBe(mail('ada'));
  });

  it('counts in a capacity whose values are users [contract 4, contract 6]', async () => {
    const second = { object_type: 'contacts', internal_name: 'helper', label: 'Helper', type: 'user' };
    const account = await open({
      users: people(['ada', 'bob']),
      fields: [second],
      capacities: [
        {
          name: 'Helped',
          object_type: 'contacts',
          field: 'helper',
          values: [mail('ada')],
          users: [{ email: mail('bob'), max: 1 }],
        },
      ],
      routers: [router('R', {}, { users: people(['bob']) })],
    });
    expect(await account.assign('R', await account.contact({ helper: mail('ada') }))).toBe('bob');
    await renameUser(account, TO_EVE);
    expect(await account.assign('R', await account.contact({ helper: mail('eve') }))).not.toBe('bob');
    expect(await account.assign('R', await account.contact({ helper: mail('bob') }))).toBe('bob');
  });

  it('gets the contacts of the company that is theirs [contract 4, contract 6]', async () => {
    const account = await open({
      users: people(['ada', 'bob']),
      routers: [router('M', { account_matching: true }, { users: people(['bob']) })],
    });
    await account.create('companies', { website_url: 'x-corp.test', company_owner: mail('ada') });
    await renameUser(account, TO_EVE);
    expect(await account.assign('M', await account.contact({ email: 'lead@x-corp.test' }))).toBe('eve');
    const { body } = await account.simulate('M', { fields: { email: 'other@x-corp.test' } });
    expect([body.user, body.reason]).toEqual([mail('eve'), 'account_matched']);
  });

  it('is the present owner, and leaves the record unchanged when chosen again [contract 4, contract 6]', async () => {
    const account = await open({
      users: people(['ada', 'bob']),
      routers: [
        router('Keep', {}, { users: people(['bob']) }),
        router('Same', { overwrite: true }, { users: people(['ada']) }),
      ],
    });
    const id = await account.contact({ contact_owner: mail('ada') });
    await renameUser(account, TO_EVE);
    const { body: kept } = await account.dispatch('Keep', id);
    expect([kept.success, kept.reason, kept.user]).toEqual([false, 'owner_present', mail('eve')]);
    const { body: same } = await account.dispatch('Same', id);
    expect([same.success, same.reason, same.user]).toEqual([true, 'already_owner', mail('eve')]);
    const { body: entry } = await account.api.get(`/assignments/${same.assignment_id}`);
    expect([entry.user, entry.previous_user]).toEqual([mail('eve'), mail('eve')]);
  });

  it('is found by the conditions of triggers, by the e-mail and by a part of it [contract 4, contract 6]', async () => {
    const when = (operator: string, value: unknown) => ({
      groups: [{ conditions: [{ field: 'contact_owner', operator, value }] }],
    });
    const users = { users: people(['bob']) };
    const account = await open({
      users: people(['ada', 'bob']),
      routers: [
        router('eq', { overwrite: true, trigger: when('eq', mail('ada')) }, users),
        router('not_in', { overwrite: true, trigger: when('not_in', [mail('ada')]) }, users),
        router('new', { overwrite: true, trigger: when('starts_with', 'eve@') }, users),
        router('old', { overwrite: true, trigger: when('contains', 'ada') }, users),
      ],
    });
    const ofAda = await account.contact({ contact_owner: mail('ada') });
    await renameUser(account, TO_EVE);
    const matches = async (name: string, of: object) => {
      const { body } = await account.simulate(name, of);
      return body.success === true;
    };
    const names = ['eq', 'not_in', 'new', 'old'];
    const stored = await Promise.all(names.map((name) => matches(name, { object_id: ofAda })));
    expect(stored).toEqual([true, false, true, false]);
    const fields = { first_name: 'I', contact_owner: mail('eve') };
    expect(await Promise.all(names.map((name) => matches(name, { fields })))).toEqual(stored);
    const { body } = await account.simulate('old', { object_id: ofAda });
    expect(body.trace[0].groups[0][0]).toMatchObject({ saw: mail('eve'), held: false });
  });

  it('gets turns back, and is charged for them, as before [contract 4, contract 6]', async () => {
    const returned = async (rename: boolean): Promise<string[]> => {
      const account = await open({
        users: people(['ada', 'bob', 'cam']),
        routers: [
          router(
            'R',
            { overwrite: true, reimburse_within_minutes: 10 },
            { users: people(['ada', 'bob', 'cam']) },
          ),
        ],
      });
      const named = (name: string): string => (rename && name === 'ada' ? 'eve' : name);
      const [first, second] = [await account.contact(), await account.contact()];
      expect(await account.assignEach('R', [first, second])).toBe('ada bob');
      if (rename) await renameUser(account, TO_EVE);
      const move = async (id: string, to: string): Promise<void> => {
        const { status } = await account.api.patch(`/contacts/${id}`, {
          fields: { contact_owner: mail(to) },
        });
        expect(status).toBe(200);
      };
      await move(first, 'cam');
      await move(second, named('ada'));
      const turns = await account.turns('R', 6);
      // A dispatch takes a record back from the user, too.
      const third = await account.contact();
      const taken = [await account.assign('R', third), await account.assign('R', third)];
      const more = await account.turns('R', 6);
      return [turns, ...taken, more].map((text) => text.replaceAll('eve', 'ada'));
    };
    expect(await returned(true)).toEqual(await returned(false));
  });
});
