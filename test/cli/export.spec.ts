import { parse } from 'yaml';
import { ACME } from '../support/configuration.js';
import { Programs } from '../support/processes/program.js';
import { storm } from '../support/storm.js';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.js';

const programs = new Programs();
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterEach(() => programs.end());
afterAll(() => database.drop());

async function cli(url: string, args: readonly string[], input = ''): Promise<string> {
  const { code, stdout, stderr } = await programs.cli(args, { DATABASE_URL: url }, { input });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

describe('export', () => {
  it('prints all of a large account into a pipe, which takes less at a time [contract 5]', async () => {
    const users = Array.from({ length: storm(6_000, 1_200) }, (_, index) => ({
      email: `user${index}@acme.test`,
    }));
    await cli(database.url, ['apply', '-'], JSON.stringify({ accounts: [{ slug: 'large', users }] }));
    const args = ['export', '--account', 'large', '--json'];
    const { code, stdout } = await programs.process(args, { DATABASE_URL: database.url });
    expect(code).toBe(0);
    // A pipe takes 64 KB at a time.
    expect(stdout.length).toBeGreaterThan(200_000);
    expect(JSON.parse(stdout).accounts[0].users).toHaveLength(users.length);
  });

  it('prints the whole account with the keys of the file, what was left out included [contract 5]', async () => {
    await cli(database.url, ['apply', '-'], ACME);
    const yaml = await cli(database.url, ['export', '--account', 'acme']);
    const settings = {
      owner_field: 'contact_owner',
      overwrite: true,
      overwrite_if_unavailable: false,
      distribution_model: 'round robin',
      rotation_type: 'users',
      default_user: 'alan@acme.test',
      disable_default_assignment: false,
      ignore_working_hours: false,
      account_matching: false,
    };
    const document = parse(yaml);
    const [{ users, teams, fields, capacities, routers, members, ...account }] = document.accounts;
    expect(members).toEqual([]);
    expect(account).toEqual({ slug: 'acme', name: 'Acme Inc', holidays: ['2026-12-25'] });
    expect(users).toEqual([
      {
        email: 'ada@acme.test',
        name: 'Ada Lovelace',
        timezone: 'America/New_York',
        available: true,
        working_hours: [
          { days: ['mon', 'tue', 'wed', 'thu', 'fri'], start: '09:00', end: '17:30' },
          { days: ['sat'], start: '22:00', end: '02:00' },
        ],
        out_of_office: [{ from: '2026-12-24T00:00:00.000Z', to: '2026-12-26T23:00:00.000Z' }],
        holidays: [],
        limits: { hour: 10, day: 40, week: 100, month: 300 },
      },
      {
        email: 'alan@acme.test',
        name: null,
        timezone: 'UTC',
        available: false,
        working_hours: null,
        out_of_office: [],
        holidays: [],
        limits: { day: 5, window: 'calendar' },
      },
      {
        email: 'grace@acme.test',
        name: null,
        timezone: 'Europe/London',
        available: true,
        working_hours: null,
        out_of_office: [],
        holidays: ['2026-05-01'],
        limits: null,
      },
    ]);
    expect(teams).toEqual([
      { name: 'Empty', members: [] },
      { name: 'Sales', members: ['grace@acme.test', 'ada@acme.test'] },
    ]);
    expect(fields).toEqual([
      { object_type: 'contacts', internal_name: 'lead_score', label: 'Lead score', type: 'number' },
      {
        object_type: 'contacts',
        internal_name: 'region',
        label: 'Region',
        type: 'enumeration',
        options: [
          { internal_name: 'emea', label: 'EMEA' },
          { internal_name: 'apac', label: 'apac' },
        ],
      },
      {
        object_type: 'deals',
        internal_name: 'pipeline',
        label: 'Pipeline',
        type: 'enumeration',
        options: [{ internal_name: 'partner', label: 'Partner' }],
      },
      { object_type: 'deals', internal_name: 'sales_engineer', label: 'sales_engineer', type: 'user' },
    ]);
    expect(capacities).toEqual([
      {
        name: 'Open',
        object_type: 'contacts',
        field: 'region',
        values: ['emea', 'apac'],
        users: [{ email: 'ada@acme.test', max: 3 }],
        teams: [{ name: 'Sales', max: 5 }],
      },
    ]);
    expect(routers[0]).toMatchObject({
      name: 'Inbound',
      object_type: 'contacts',
      published: true,
      settings: {
        ...settings,
        trigger: {
          groups: [
            {
              conditions: [
                { field: 'region', operator: 'in', value: ['emea', 'apac'] },
                { field: 'lead_score', operator: 'gte', value: 10 },
              ],
            },
          ],
        },
      },
      users: [{ email: 'ada@acme.test' }],
      teams: [{ name: 'Sales' }],
    });
    expect(routers[1]).toMatchObject({
      name: 'Shares',
      object_type: 'deals',
      published: false,
      settings: { distribution_model: 'percentage', owner_field: 'sales_engineer', trigger: { groups: [] } },
      users: [
        { email: 'ada@acme.test', percentage: 33.3333 },
        { email: 'grace@acme.test', percentage: 66.6667 },
      ],
      teams: [],
    });
    expect(routers.slice(2)).toEqual([
      { name: 'Draft', object_type: 'tickets', published: false, settings: null, users: [], teams: [] },
    ]);
  });

  it('is a file that changes nothing where it came from, and makes its equal elsewhere [contract 5]', async () => {
    await cli(database.url, ['apply', '-'], ACME);
    const yaml = await cli(database.url, ['export', '--account', 'acme']);
    expect(await cli(database.url, ['apply', '-'], yaml)).toBe('acme: no changes\n');
    expect(await cli(database.url, ['export', '--account', 'acme'])).toBe(yaml);

    const other = await createTestDatabase();
    expect(await cli(other.url, ['apply', '-'], yaml)).toContain('acme: create account acme\n');
    expect(await cli(other.url, ['export', '--account', 'acme'])).toBe(yaml);
    await other.drop();
  });

  it('with --json prints the same as JSON, which apply takes as well [contract 5]', async () => {
    await cli(database.url, ['apply', '-'], ACME);
    const yaml = await cli(database.url, ['export', '--account', 'acme']);
    const json = await cli(database.url, ['--json', 'export', '--account', 'acme']);
    expect(await cli(database.url, ['export', '--account', 'acme', '--json'])).toBe(json);
    expect(JSON.parse(json)).toEqual(parse(yaml));
    expect(await cli(database.url, ['apply', '-'], json)).toBe('acme: no changes\n');
  });

  it('knows of a suspended account, and of texts that YAML might misread [contract 5]', async () => {
    const file = {
      accounts: [
        {
          slug: 'odd',
          name: 'yes: "no" # {null}',
          suspended: true,
          users: [
            { email: 'odd@odd.test', name: '2026-01-01' },
            { email: 'even@odd.test', name: '0x1F' },
            { email: 'o@odd.test', name: ' - *a &b !c \u{1F600}\u2028 ' },
          ],
          teams: [{ name: '007', members: ['odd@odd.test'] }, { name: 'true' }, { name: '~' }],
          fields: [
            {
              object_type: 'contacts',
              internal_name: 'no',
              label: 'null',
              type: 'enumeration',
              options: [{ internal_name: '1', label: '1.0' }, { internal_name: 'true' }],
            },
          ],
        },
      ],
    };
    await cli(database.url, ['apply', '-'], JSON.stringify(file));
    const yaml = await cli(database.url, ['export', '--account', 'odd']);
    const [account] = parse(yaml).accounts;
    expect(account).toMatchObject({
      name: 'yes: "no" # {null}',
      suspended: true,
      fields: [{ internal_name: 'no', label: 'null' }],
    });
    expect(account.teams.map(({ name }: { name: string }) => name).sort()).toEqual(['007', 'true', '~']);
    expect(account.users.map(({ name }: { name: string }) => name).sort()).toEqual(
      file.accounts[0]!.users.map(({ name }) => name).sort(),
    );
    expect(await cli(database.url, ['apply', '-'], yaml)).toBe('odd: no changes\n');
  });

  it('of an account that does not exist is an error [contract 5]', async () => {
    const result = await programs.cli(['export', '--account', 'nope'], { DATABASE_URL: database.url });
    expect(result).toEqual({ code: 1, stdout: '', stderr: 'There is no account nope\n' });
  });
});
