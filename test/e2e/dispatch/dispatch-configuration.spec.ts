// A second service on the database of the first sees what it changes.
import { mail, people, router, RoutingAccount, type AccountFile } from '../../support/routing-account.js';
import { away, onHoliday, outside } from '../../support/processes/presence.js';
import { sql } from '../../support/database/stored-records.js';
import { condition } from '../../support/database/trigger-table.js';
import { TestService } from '../../support/test-service.js';

const NOBODY = 'no_users_available';

let first: TestService;
let second: TestService;

beforeAll(async () => {
  first = await TestService.shared();
  second = await TestService.start({ database: first.database });
});
afterAll(async () => {
  await second.stop();
  await first.stop();
});

/**
 * One change of the configuration, and who gets the next records before it, after it and once it is undone.
 */
interface Change {
  readonly what: string;
  readonly change: AccountFile;
  readonly before: string;
  readonly after: string;
  readonly undo?: AccountFile;
  readonly undone?: string;
}

const CHANGES: readonly Change[] = [
  {
    what: 'a user is switched off and on',
    change: { users: [{ email: mail('ada'), available: false }] },
    before: 'ada bob',
    after: 'bob bob',
    undo: { users: [{ email: mail('ada'), available: true }] },
    undone: 'ada bob',
  },
  {
    what: 'a user leaves and is back in the office',
    change: { users: [{ email: mail('ada'), ...away() }] },
    before: 'ada bob',
    after: 'bob bob',
    undo: { users: [{ email: mail('ada'), out_of_office: [] }] },
    undone: 'ada bob',
  },
  {
    what: 'working hours change',
    change: { users: people(['ada', 'bob'], outside()) },
    before: 'ada bob',
    after: `${NOBODY} ${NOBODY}`,
    undo: { users: people(['ada', 'bob'], { working_hours: null }) },
    undone: 'ada bob',
  },
  {
    what: 'the account has holidays',
    change: onHoliday(),
    before: 'ada bob',
    after: `${NOBODY} ${NOBODY}`,
    undo: { holidays: [] },
    undone: 'ada bob',
  },
  {
    what: 'the router is unpublished and published',
    change: { routers: [{ name: 'R', published: false }] },
    before: 'ada bob',
    after: 'router_unpublished router_unpublished',
    undo: { routers: [{ name: 'R', published: true }] },
    undone: 'ada bob',
  },
  {
    what: 'the router loses its settings and gets them again',
    change: { routers: [{ name: 'R', settings: null }] },
    before: 'ada bob',
    after: 'router_has_no_settings router_has_no_settings',
    undo: { routers: [{ name: 'R', settings: {} }] },
    undone: 'ada bob',
  },
  {
    what: 'the trigger changes',
    change: { routers: [{ name: 'R', settings: { trigger: condition('first_name', 'neq', 'lead') } }] },
    before: 'ada bob',
    after: 'trigger_not_matched trigger_not_matched',
    undo: { routers: [{ name: 'R', settings: { trigger: { groups: [] } } }] },
    undone: 'ada bob',
  },
  {
    what: 'a field appears and the trigger names it',
    change: {
      fields: [{ object_type: 'contacts', internal_name: 'size', type: 'number' }],
      routers: [{ name: 'R', settings: { trigger: condition('size', 'is_not_empty') } }],
    },
    before: 'ada bob',
    after: 'trigger_not_matched trigger_not_matched',
  },
  {
    what: 'the router lists others',
    change: { routers: [{ name: 'R', users: people(['eve']) }] },
    before: 'ada bob',
    after: 'eve eve',
    undo: { routers: [{ name: 'R', users: people(['ada', 'bob', 'eve']) }] },
    undone: 'ada bob',
  },
  {
    what: 'the router lists a team instead, and then its members change',
    change: { routers: [{ name: 'R', users: [], teams: [{ name: 'Team' }] }] },
    before: 'ada bob',
    after: 'dan dan',
    undo: { teams: [{ name: 'Team', members: [mail('dan'), mail('eve')] }] },
    undone: 'eve dan',
  },
  {
    what: 'the backup changes while nobody is available',
    change: {
      users: people(['ada', 'bob'], { available: false }),
      routers: [{ name: 'R', settings: { default_user: mail('eve') } }],
    },
    before: 'ada bob',
    after: 'eve eve',
    undo: { routers: [{ name: 'R', settings: { disable_default_assignment: true } }] },
    undone: `${NOBODY} ${NOBODY}`,
  },
  {
    what: 'the distribution model changes',
    change: {
      routers: [
        {
          name: 'R',
          settings: { distribution_model: 'percentage' },
          users: [
            { email: mail('ada'), percentage: 0 },
            { email: mail('bob'), percentage: 100 },
          ],
        },
      ],
    },
    before: 'ada bob',
    after: 'bob bob',
  },
];

describe.each([
  ['the process that changed it', (account: RoutingAccount) => account],
  ['another process on the database', (account: RoutingAccount) => account.through(second)],
])('A change is in force with the next dispatch of %s', (_, seenFrom) => {
  /**
   * The contacts are created first, because a create would read the configuration before the dispatch does.
   */
  const open = async (): Promise<{ changing: RoutingAccount; seeing: RoutingAccount; ids: string[] }> => {
    const changing = await RoutingAccount.open(first, {
      users: people(['ada', 'bob', 'eve', 'dan']),
      teams: [{ name: 'Team', members: [mail('dan')] }],
      routers: [router('R', {}, { users: people(['ada', 'bob']) })],
    });
    const seeing = seenFrom(changing);
    return { changing, seeing, ids: await seeing.contacts(6) };
  };

  it.each(CHANGES)('$what [4.6, contract 4, contract 5]', async ({ change, before, after, undo, undone }) => {
    const { changing, seeing, ids } = await open();
    expect(await seeing.assignEach('R', ids.splice(0, 2))).toBe(before);
    await changing.apply(change);
    expect(await seeing.assignEach('R', ids.splice(0, 2))).toBe(after);
    if (undo === undefined) return;
    await changing.apply(undo);
    expect(await seeing.assignEach('R', ids)).toBe(undone);
  });

  it('an owner who could not be overwritten can be now [contract 4]', async () => {
    const { changing, seeing, ids } = await open();
    const [id = ''] = ids;
    expect(await seeing.assignEach('R', [id, id])).toBe('ada owner_present');
    await changing.apply({ routers: [{ name: 'R', settings: { overwrite: true } }] });
    expect(await seeing.assign('R', id)).toBe('bob');
    await changing.apply({ routers: [{ name: 'R', settings: { overwrite: false } }] });
    expect(await seeing.assign('R', id)).toBe('owner_present');
  });

  it('another owner field is set [contract 4]', async () => {
    const { changing, seeing, ids } = await open();
    const [one = '', other = ''] = ids;
    expect(await seeing.assign('R', one)).toBe('ada');
    await changing.apply({
      fields: [{ object_type: 'contacts', internal_name: 'manager', type: 'user' }],
      routers: [{ name: 'R', settings: { owner_field: 'manager' } }],
    });
    const { body: answer } = await seeing.dispatch('R', other);
    expect(answer).toMatchObject({ field_name: 'manager', user: mail('bob') });
    const { body } = await seeing.api.get(`/contacts/${other}?properties=manager`);
    expect(body).toMatchObject({ manager: mail('bob'), contact_owner: null });
  });

  it('a router that has just been made is found [4.6, contract 4]', async () => {
    const { changing, seeing, ids } = await open();
    expect(await seeing.assign('R', ids[0])).toBe('ada');
    await changing.apply({ routers: [router('New', {}, { users: people(['eve']) })] });
    expect(await seeing.assign('New', ids[1])).toBe('eve');
  });

  it('a router that has just been archived is not [4.6, contract 4]', async () => {
    const { changing, seeing, ids } = await open();
    const [one = '', other = ''] = ids;
    expect(await seeing.assign('R', one)).toBe('ada');
    await sql(first, `UPDATE routers SET archived_at = now(), archived_by = 'x' WHERE id = $1`, [
      await seeing.routerId('R'),
    ]);
    await changing.apply({ users: [{ email: mail('ada'), name: 'Ada' }] });
    const { status, body } = await seeing.dispatch('R', other);
    expect({ status, message: body.message }).toEqual({ status: 404, message: 'Router not found' });
  });

  it('a change that cannot be applied changes nothing [contract 4, contract 5]', async () => {
    const { changing, seeing, ids } = await open();
    const refused = { name: 'R', published: false, users: people(['nobody']) };
    await expect(changing.apply({ routers: [refused] })).rejects.toThrow('nobody@acme.test is not a user');
    expect(await seeing.assignEach('R', ids.splice(0, 2))).toBe('ada bob');
  });
});
