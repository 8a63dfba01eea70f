// A service of its own: commands print the slugs of accounts.
import { ApplyService } from '../../src/management/index.js';
import { forgetAccounts } from '../support/database/forget-accounts.js';
import { Programs } from '../support/processes/program.js';
import { TestService } from '../support/test-service.js';

const programs = new Programs();
let service: TestService;

beforeAll(async () => {
  service = await TestService.start();
});
beforeEach(async () => {
  await service.apply(`
    accounts:
      - slug: acme
        users: [{ email: ada@acme.test }]
        teams: [{ name: Sales, members: [ada@acme.test] }, { name: Nord }]
        fields:
          - { object_type: contacts, internal_name: region, type: enumeration, options: [{ internal_name: emea }] }
          - { object_type: contacts, internal_name: score, type: number }
        capacities: [{ name: Open, object_type: contacts, field: region, values: [emea], teams: [{ name: Sales, max: 3 }] }]
        routers:
          - { name: Inbound, object_type: contacts, published: true, settings: {}, teams: [{ name: Sales }] }
          - { name: Old, object_type: contacts, settings: { trigger: { groups: [{ conditions: [{ field: score, operator: gt, value: 3 }] }] } } }`);
});
afterEach(async () => {
  await programs.end();
  await forgetAccounts(service);
});
afterAll(() => service.stop());

const apply = (sections: string, ...flags: string[]): ReturnType<Programs['cli']> =>
  programs.cli(
    ['apply', '-', '--prune', ...flags],
    { DATABASE_URL: service.database.url },
    { input: `accounts: [{ slug: acme, ${sections} }]` },
  );

/** The names in each section of the account. */
async function names(): Promise<Record<string, string[]>> {
  const { accounts } = await service.app.get(ApplyService, { strict: false }).export('acme');
  const account = JSON.parse(JSON.stringify(accounts[0]));
  const of = (section: string, key: string) => account[section].map((each: any) => each[key]);
  return {
    teams: of('teams', 'name'),
    fields: of('fields', 'internal_name'),
    capacities: of('capacities', 'name'),
    routers: of('routers', 'name'),
  };
}
const EVERYTHING = {
  teams: ['Nord', 'Sales'],
  fields: ['region', 'score'],
  capacities: ['Open'],
  routers: ['Inbound', 'Old'],
};

describe('apply --prune', () => {
  it('archives what the file leaves out of the sections that it has, and nothing of others [contract 6]', async () => {
    const file = 'teams: [{ name: Sales }]';
    const plan = await apply(file, '--dry-run');
    expect(plan).toEqual({ code: 2, stdout: 'acme: archive team Nord\n', stderr: '' });
    expect(await names()).toEqual(EVERYTHING);
    expect(await apply(file)).toEqual({ code: 0, stdout: plan.stdout, stderr: '' });
    expect(await names()).toEqual({ ...EVERYTHING, teams: ['Sales'] });
    expect(await apply(file)).toEqual({ code: 0, stdout: 'acme: no changes\n', stderr: '' });
  });

  it('removes what only others that go as well have used, and shows it first [contract 6]', async () => {
    const kept = '{ object_type: contacts, internal_name: tier, type: string }';
    const { code, stdout } = await apply(`teams: [], fields: [${kept}], capacities: [], routers: []`);
    expect([code, stdout.trimEnd().split('\n')]).toEqual([
      0,
      [
        'acme: archive router Inbound',
        'acme: archive router Old',
        'acme: archive capacity Open',
        'acme: archive team Nord',
        'acme: archive team Sales',
        'acme: archive field contacts.region',
        'acme: archive field contacts.score',
        'acme: create field contacts.tier',
      ],
    ]);
    expect(await names()).toEqual({ teams: [], fields: ['tier'], capacities: [], routers: [] });
  });

  it('refuses the whole file where something that is in use would go, and says by what [contract 6]', async () => {
    const { code, stdout, stderr } = await apply('teams: [], fields: [], capacities: []');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr.trimEnd().split('\n')).toEqual([
      'line 1, column 26: accounts[0].teams: The team Sales is in use: the router Inbound',
      'line 1, column 37: accounts[0].fields: The field contacts.score is in use: the router Old (trigger)',
    ]);
    expect(await names()).toEqual(EVERYTHING);
  });

  it('archives nothing where the file is refused, and says only what is wrong with it [contract 6]', async () => {
    const { code, stdout, stderr } = await apply(
      'teams: [{ name: New, members: [no@acme.test] }], capacities: []',
    );
    expect([code, stdout]).toEqual([1, '']);
    // The team Sales, which is left out, is in use: nobody has asked yet.
    expect(stderr.trimEnd()).toMatch(
      /^line 1, column \d+: accounts\[0\]\.teams\[0\]\.members\[0\]: .* is not a user/,
    );
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(await names()).toEqual(EVERYTHING);
  });

  it('brings an archived team back with the members that it had [contract 6]', async () => {
    const file = 'teams: [{ name: Sales }, { name: Nord, members: [ada@acme.test] }]';
    await apply(file);
    expect((await apply('teams: [{ name: Sales }]')).stdout).toBe('acme: archive team Nord\n');
    expect((await apply('teams: [{ name: Sales }, { name: Nord }]')).stdout).toBe(
      'acme: update team Nord\n  archived: true -> none\n',
    );
    expect(await apply(file)).toEqual({ code: 0, stdout: 'acme: no changes\n', stderr: '' });
  });

  it('counts what the file itself takes out of use as unused [contract 6]', async () => {
    const routers = '[{ name: Inbound, users: [{ email: ada@acme.test }], teams: [] }]';
    const { code } = await apply(`teams: [], capacities: [], routers: ${routers}`);
    expect(code).toBe(0);
    expect(await names()).toMatchObject({ teams: [], routers: ['Inbound'] });
  });

  it('archives users, but for those who own records [contract 6]', async () => {
    const admin = await service.login('acme', ['records:write', 'records:read']);
    await service.apply(
      'accounts: [{ slug: acme, users: [{ email: bob@acme.test }, { email: eve@acme.test }] }]',
    );
    const sent = { fields: { email: 'max@x.test', contact_owner: 'bob@acme.test' } };
    expect((await admin.post('/contacts', sent)).status).toBe(201);
    const file = 'users: [{ email: ada@acme.test }]';
    const refused = await apply(file);
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining('bob@acme.test owns 1 contact'),
    ]);
    expect(await apply('users: [{ email: ada@acme.test }, { email: bob@acme.test }]')).toEqual({
      code: 0,
      stdout: 'acme: archive user eve@acme.test\n',
      stderr: '',
    });
  });
});
