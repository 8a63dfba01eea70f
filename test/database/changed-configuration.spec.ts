import { ConfigurationLoader } from '../../src/configuration/cache/configuration.loader.js';
import type { AccountConfiguration } from '../../src/configuration/index.js';
import { archiveUser } from '../support/archive-user.js';
import { mail, people, router, RoutingAccount, type AccountFile } from '../support/routing-account.js';
import { sql } from '../support/database/stored-records.js';
import { TestService } from '../support/test-service.js';

const DAYS = ['2026-12-25', '2026-12-26'];
const CAPACITY = { name: 'Leads', object_type: 'contacts', field: 'lifecycle_stage', values: ['lead'] };

/** Changes of each part of a configuration, one after the other. */
const CHANGES: [what: string, file: AccountFile][] = [
  ['a new user', { users: people(['eve']) }],
  ['the switch of a user', { users: people(['ada'], { available: false }) }],
  ['holidays of the account', { holidays: DAYS }],
  ['a new team', { teams: [{ name: 'Nord', members: [mail('bob')] }] }],
  ['the members of a team', { teams: [{ name: 'Sales', members: [mail('bob'), mail('ada')] }] }],
  ['a new field', { fields: [{ object_type: 'deals', internal_name: 'score', type: 'number' }] }],
  ['the label of a field', { fields: [{ object_type: 'contacts', internal_name: 'email', label: 'Mail' }] }],
  ['a new capacity', { capacities: [{ ...CAPACITY, users: [{ email: mail('ada'), max: 5 }] }] }],
  ['who has a capacity', { capacities: [{ ...CAPACITY, users: [{ email: mail('bob'), max: 7 }] }] }],
  ['a new router', { routers: [router('Second', {}, { users: people(['bob']) })] }],
  ['the settings of a router', { routers: [router('First', { overwrite: true })] }],
  [
    'holidays of a user, and none of the account',
    { holidays: [], users: people(['bob'], { holidays: DAYS }) },
  ],
];

const ARCHIVE_ROUTER = `WITH account AS (UPDATE accounts SET config_version = config_version + 1 WHERE slug = $1 RETURNING id)
  UPDATE routers SET archived_at = now() FROM account WHERE account_id = account.id AND name = 'First'`;

const START: AccountFile = {
  users: people(['ada', 'bob']),
  teams: [{ name: 'Sales', members: [mail('ada')] }],
  routers: [router('First', {}, { users: people(['ada']), teams: [{ name: 'Sales' }] })],
};

let service: TestService;
beforeAll(async () => (service = await TestService.shared()));
afterAll(() => service.stop());

const loaded = async (
  account: RoutingAccount,
  known?: AccountConfiguration,
): Promise<AccountConfiguration> => {
  const loader = service.app.get(ConfigurationLoader, { strict: false });
  const configuration = await loader.load(await service.account(account.slug), known);
  if (configuration === undefined) throw new Error('There is no such account');
  return configuration;
};

/** What a configuration contains, whatever the order in which its users were read. */
const contents = ({ version, catalog, directory, capacities, routers }: AccountConfiguration): object => ({
  version,
  catalog,
  users: new Map([...directory.users].sort(([one], [other]) => (one < other ? -1 : 1))),
  teams: directory.teams,
  capacities,
  routers: [...routers],
});

describe('A configuration of which an earlier version is known', () => {
  it('is read as if it were read whole, from each earlier version, after each change [contract 5]', async () => {
    const account = await RoutingAccount.open(service, START);
    const other = await RoutingAccount.open(service, START);
    const versions = [await loaded(account)];
    const steps: (() => Promise<void>)[] = [
      ...CHANGES.map(
        ([, file]) =>
          () =>
            account.apply(file),
      ),
      () => archiveUser(account, mail('bob')),
      async () => {
        await sql(service, ARCHIVE_ROUTER, [account.slug]);
      },
      () => account.apply({ users: people(['bob']) }),
    ];
    for (const step of steps) {
      await step();
      await other.apply({ users: people([`new${versions.length}`]) });
      const whole = await loaded(account);
      for (const known of versions) expect(contents(await loaded(account, known))).toEqual(contents(whole));
      versions.push(whole);
    }
    expect(new Set(versions.map(({ version }) => version)).size).toBe(steps.length + 1);
    expect(versions.at(-1)?.directory.users.size).toBe(3);
  });

  it.each(CHANGES)('keeps all rows and compiled parts that do not depend on %s', async (what, file) => {
    const account = await RoutingAccount.open(service, START);
    const before = await loaded(account);
    await account.apply(file);
    const after = await loaded(account, before);
    const kept = {
      fields: after.catalog === before.catalog,
      directory: after.directory === before.directory,
      people: after.directory.people === before.directory.people,
      routers: after.routers === before.routers,
    };
    const changesPeople = /a new user|team/.test(what);
    expect(kept).toEqual({
      fields: !what.includes('field'),
      directory: !/user|team|holidays/.test(what),
      people: !changesPeople,
      routers: !what.includes('router'),
    });
    const [first] = before.routers.keys();
    if (what !== 'the settings of a router')
      expect(after.routers.get(first!)).toBe(before.routers.get(first!));
  });
});
