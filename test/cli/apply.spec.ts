// A service of its own: commands print the slugs of accounts.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { AccountsRepository } from '../../src/accounts/index.js';
import { ApplyService } from '../../src/management/index.js';
import { Database } from '../../src/database/index.js';
import { ACME } from '../support/configuration.js';
import { forgetAccounts, isForgotten } from '../support/database/forget-accounts.js';
import { Programs } from '../support/processes/program.js';
import { sql } from '../support/database/stored-records.js';
import { TestService } from '../support/test-service.js';

const CREATED = [
  'acme: create account acme',
  'acme: update account acme',
  '  holidays: [] -> ["2026-12-25"]',
  'acme: create field contacts.lead_score',
  'acme: create field contacts.region',
  'acme: create field deals.sales_engineer',
  'acme: update field deals.pipeline',
  '  options[partner]: none -> {"internal_name":"partner","label":"Partner"}',
  'acme: create user ada@acme.test',
  'acme: create user grace@acme.test',
  'acme: create user alan@acme.test',
  'acme: create team Sales',
  'acme: create team Empty',
  'acme: create capacity Open',
  'acme: create router Inbound',
  'acme: create router Shares',
  'acme: create router Draft',
];

const programs = new Programs();
let service: TestService;

beforeAll(async () => {
  service = await TestService.start();
});
afterEach(async () => {
  await programs.end();
  await forgetAccounts(service);
});
afterAll(() => service.stop());

const cli = (args: readonly string[], input = '', cwd = programs.folder()): ReturnType<Programs['cli']> =>
  programs.cli(args, { DATABASE_URL: service.database.url }, { input, cwd });

/** Applies a file that must be accepted. @returns the lines printed */
async function apply(yaml: string): Promise<string[]> {
  const { code, stdout, stderr } = await cli(['apply', '-'], yaml);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout.trimEnd().split('\n');
}

/** Returns the configuration of an account. */
async function exported(slug = 'acme'): Promise<Record<string, any>> {
  const { accounts } = await service.app.get(ApplyService, { strict: false }).export(slug);
  return JSON.parse(JSON.stringify(accounts[0])) as Record<string, any>;
}

/** Returns the slugs of all accounts. */
async function slugs(): Promise<string[]> {
  const accounts = service.app.get(AccountsRepository, { strict: false });
  const all = await service.app.get(Database, { strict: false }).read((db) => accounts.list(db));
  return all.map(({ slug }) => slug).filter((slug) => !isForgotten(slug));
}

describe('apply', () => {
  it('creates what the file says, from a file, and changes nothing the second time [contract 5]', async () => {
    const cwd = programs.folder();
    writeFileSync(join(cwd, 'fairlead.yaml'), ACME);
    const first = await cli(['apply', 'fairlead.yaml'], '', cwd);
    expect(first).toEqual({ code: 0, stdout: `${CREATED.join('\n')}\n`, stderr: '' });
    const second = await cli(['apply', 'fairlead.yaml'], '', cwd);
    expect(second).toEqual({ code: 0, stdout: 'acme: no changes\n', stderr: '' });
    rmSync(join(cwd, 'fairlead.yaml'));
    const missing = await cli(['apply', 'fairlead.yaml'], '', cwd);
    expect(missing).toEqual({ code: 1, stdout: '', stderr: 'Cannot read fairlead.yaml: ENOENT\n' });
  });

  it('with --dry-run prints the same plan, writes nothing, and exits with 2 where there are changes [contract 5]', async () => {
    const plan = await cli(['apply', '--dry-run', '-'], ACME);
    expect(plan).toEqual({ code: 2, stdout: `${CREATED.join('\n')}\n`, stderr: '' });
    expect(await slugs()).toEqual([]);

    await service.apply(ACME);
    const before = await exported();
    const change = 'accounts: [{ slug: acme, users: [{ email: ada@acme.test, available: false }] }]';
    const dry = await cli(['apply', '-', '--dry-run'], change);
    expect(dry).toMatchObject({
      code: 2,
      stdout: 'acme: update user ada@acme.test\n  available: true -> false\n',
    });
    expect(await exported()).toEqual(before);
    const same = await cli(['apply', '-', '--dry-run'], ACME);
    expect(same).toEqual({ code: 0, stdout: 'acme: no changes\n', stderr: '' });
  });

  it('prints one JSON document with --json, before the command or after it [contract 5]', async () => {
    const before = await cli(['--json', 'apply', '--dry-run', '-'], ACME);
    const after = await cli(['apply', '-', '--dry-run', '--json'], ACME);
    expect(before.code).toBe(2);
    expect(after).toEqual(before);
    const document = JSON.parse(before.stdout);
    expect(Object.keys(document)).toEqual(['dry_run', 'accounts']);
    expect(document.dry_run).toBe(true);
    expect(document.accounts[0].account).toBe('acme');
    expect(document.accounts[0].changes).toHaveLength(
      CREATED.filter((line) => line.startsWith('acme')).length,
    );
    expect(document.accounts[0].changes.slice(0, 2)).toEqual([
      { action: 'create', kind: 'account', name: 'acme', changes: [] },
      {
        action: 'update',
        kind: 'account',
        name: 'acme',
        keys: ['holidays'],
        changes: [{ path: 'holidays', from: [], to: ['2026-12-25'] }],
      },
    ]);
    await service.apply(ACME);
    const { stdout } = await cli(['apply', '-', '--json'], JSON.stringify(parse(ACME)));
    expect(JSON.parse(stdout)).toEqual({ dry_run: false, accounts: [{ account: 'acme', changes: [] }] });
  });

  it('takes another order of the members of a team as a change [contract 5]', async () => {
    await service.apply(ACME);
    const team = '{ name: Sales, members: [ada@acme.test, grace@acme.test] }';
    const file = `accounts: [{ slug: acme, teams: [${team}] }]`;
    expect((await apply(file))[0]).toBe('acme: update team Sales');
    expect(await apply(file)).toEqual(['acme: no changes']);
  });

  it('keeps the instant at which an account was suspended [contract 5]', async () => {
    await service.apply(ACME);
    const since = async (): Promise<unknown> =>
      (await sql<{ at: Date }>(service, `SELECT suspended_at AS at FROM accounts WHERE slug = 'acme'`))[0]
        ?.at;
    const suspended = 'accounts: [{ slug: acme, suspended: true }]';
    expect((await apply(suspended))[0]).toBe('acme: update account acme');
    const first = await since();
    expect(first).toBeInstanceOf(Date);
    expect(await apply(suspended)).toEqual(['acme: no changes']);
    expect(await since()).toEqual(first);
  });

  it('says in a dry run, too, that the database is not there [contract 5]', async () => {
    const away = { DATABASE_URL: 'postgres://fairlead@127.0.0.1:1/fairlead' };
    const dry = await programs.cli(['apply', '-', '--dry-run'], away, { input: ACME });
    expect(dry).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('ECONNREFUSED') });
  });

  it('changes what the file mentions and nothing else [contract 5]', async () => {
    await service.apply(ACME);
    const before = await exported();
    const [ada, alan, grace] = before['users'];
    const [inbound, shares, draft] = before['routers'];

    expect(
      await apply(`accounts:
  - slug: acme
    users:
      - { email: ada@acme.test, name: Ada }
      - { email: new@acme.test }
    routers:
      - { name: Inbound, published: false, settings: { overwrite: false } }`),
    ).toEqual([
      'acme: update user ada@acme.test',
      '  name: "Ada Lovelace" -> "Ada"',
      'acme: create user new@acme.test',
      'acme: update router Inbound',
      '  published: true -> false',
      '  settings.overwrite: true -> false',
    ]);
    const fresh = {
      email: 'new@acme.test',
      name: null,
      timezone: 'UTC',
      available: true,
      working_hours: null,
      out_of_office: [],
      holidays: [],
      limits: null,
    };
    expect(await exported()).toEqual({
      ...before,
      users: [{ ...ada, name: 'Ada' }, alan, grace, fresh],
      routers: [
        { ...inbound, published: false, settings: { ...inbound.settings, overwrite: false } },
        shares,
        draft,
      ],
    });
  });

  it('empties what the file gives as empty, and resets what it gives as null [contract 5]', async () => {
    await service.apply(ACME);
    const lines = await apply(`accounts:
  - slug: acme
    holidays: []
    users:
      - { email: ada@acme.test, name: null, working_hours: null, limits: null, out_of_office: [], holidays: [] }
    teams: [{ name: Sales, members: [] }]
    routers: [{ name: Inbound, settings: null, users: [], teams: [] }]`);
    expect(lines).toEqual([
      'acme: update account acme',
      '  holidays: ["2026-12-25"] -> []',
      'acme: update user ada@acme.test',
      '  name: "Ada Lovelace" -> none',
      expect.stringMatching(/^ {2}working_hours: \[\{.{57}… -> none$/),
      expect.stringMatching(/^ {2}out_of_office: \[\{.{57}… -> \[\]$/),
      '  limits: {"day":40,"hour":10,"week":100,"month":300} -> none',
      'acme: update team Sales',
      '  members: ["grace@acme.test","ada@acme.test"] -> []',
      'acme: update router Inbound',
      expect.stringMatching(/^ {2}settings: \{.{58}… -> none$/),
      '  users[ada@acme.test]: {"email":"ada@acme.test"} -> none',
      '  teams[Sales]: {"name":"Sales"} -> none',
      '  version: 1 -> 2',
    ]);
    const { holidays, users, teams, routers } = await exported();
    expect(holidays).toEqual([]);
    expect(users[0]).toEqual({
      email: 'ada@acme.test',
      name: null,
      timezone: 'America/New_York',
      available: true,
      working_hours: null,
      out_of_office: [],
      holidays: [],
      limits: null,
    });
    expect(teams).toContainEqual({ name: 'Sales', members: [] });
    expect(routers[0]).toMatchObject({ name: 'Inbound', settings: null, users: [], teams: [] });
  });

  it('changes a capacity without the lists it leaves out [contract 4, contract 5]', async () => {
    await service.apply(ACME);
    const { capacities } = await exported();
    const open = '{ name: Open, object_type: contacts, field: region, values: [apac] }';
    expect(await apply(`accounts: [{ slug: acme, capacities: [${open}] }]`)).toEqual([
      'acme: update capacity Open',
      '  values: ["emea","apac"] -> ["apac"]',
    ]);
    expect((await exported())['capacities']).toEqual([{ ...capacities[0], values: ['apac'] }]);
  });

  it('adds options and labels to fields that exist, and takes none away [2.6, contract 5]', async () => {
    await service.apply(ACME);
    const lines = await apply(`accounts:
  - slug: acme
    fields:
      - object_type: contacts
        internal_name: region
        options: [{ internal_name: amer, label: Americas }, { internal_name: EMEA, label: Europe }]
      - { object_type: contacts, internal_name: lead_score, label: Score, type: number }
      - { object_type: deals, internal_name: deal_stage, label: Stage, options: [{ internal_name: paid }] }`);
    expect(lines).toEqual([
      'acme: update field contacts.region',
      '  options[emea].label: "EMEA" -> "Europe"',
      '  options[amer]: none -> {"internal_name":"amer","label":"Americas"}',
      'acme: update field contacts.lead_score',
      '  label: "Lead score" -> "Score"',
      'acme: update field deals.deal_stage',
      '  label: "Deal stage" -> "Stage"',
      '  options[paid]: none -> {"internal_name":"paid","label":"paid"}',
    ]);
    const { fields } = await exported();
    expect(fields.find((field: any) => field.internal_name === 'region').options).toEqual([
      { internal_name: 'emea', label: 'Europe' },
      { internal_name: 'apac', label: 'apac' },
      { internal_name: 'amer', label: 'Americas' },
    ]);
    expect(fields.find((field: any) => field.internal_name === 'deal_stage')).toEqual({
      object_type: 'deals',
      internal_name: 'deal_stage',
      label: 'Stage',
      type: 'enumeration',
      options: [{ internal_name: 'paid', label: 'paid' }],
    });
  });

  const TWO_BAD = `accounts:
  - { slug: first, users: [{ email: ada@first.test }], teams: [{ name: A, members: [nobody@first.test] }] }
  - slug: second
    users: [{ email: ada@second.test }]
    routers: [{ name: Bad, object_type: contacts, users: [{ email: nobody@second.test }] }]
  - { slug: third }`;

  it.each([[[]], [['--dry-run']]])('applies no account where one is bad, and tells what is wrong in all: %j [contract 5]', async (flags) => {
    await service.apply('accounts: [{ slug: third, name: Third }]');
    const { code, stdout, stderr } = await cli(['apply', '-', ...flags], TWO_BAD);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr.trimEnd().split('\n')).toEqual([
      expect.stringMatching(/^line 2, column 85: accounts\[0\]\.teams\[0\]\.members\[0\]: nobody@first\.test is not a user/),
      expect.stringMatching(/^line 5, column 61: accounts\[1\]\.routers\[0\]\.users\[0\]\.email: nobody@second\.test is not a user/),
    ]);
    expect(await slugs()).toEqual(['third']);
  }); // prettier-ignore

  it('applies no account where something that would be pruned from another is in use [contract 5, contract 6]', async () => {
    await service.apply(ACME);
    const file = 'accounts: [{ slug: new }, { slug: acme, teams: [] }]';
    const { code, stdout, stderr } = await cli(['apply', '-', '--prune'], file);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('accounts[1].teams: The team Sales is in use');
    expect(await slugs()).toEqual(['acme']);
  });

  it('with --dry-run prints the plans of all accounts [contract 5]', async () => {
    const { code, stdout } = await cli(
      ['apply', '-', '--dry-run', '--json'],
      'accounts: [{ slug: a }, { slug: b }]',
    );
    expect(code).toBe(2);
    expect(JSON.parse(stdout).accounts.map(({ account }: any) => account)).toEqual(['a', 'b']);
    expect(await slugs()).toEqual([]);
  });

  it('leaves an account that exists as it was when the file is bad [contract 5]', async () => {
    await service.apply(ACME);
    const before = await exported();
    const { code } = await cli(
      ['apply', '-'],
      `accounts:
  - slug: acme
    name: Changed
    users: [{ email: ada@acme.test, available: false }, { email: new@acme.test }]
    teams: [{ name: Sales, members: [] }, { name: New }]
    fields: [{ object_type: contacts, internal_name: score, type: number }]
    routers:
      - { name: Draft, published: true }
      - { name: Inbound, settings: { distribution_model: nope } }`,
    );
    expect(code).toBe(1);
    expect(await exported()).toEqual(before);
  });

  it('applied by several commands at once creates everything once [contract 5]', async () => {
    const runs = await Promise.all([1, 2, 3].map(() => cli(['apply', '-'], ACME)));
    expect(runs.map(({ code, stderr }) => ({ code, stderr }))).toEqual(
      runs.map(() => ({ code: 0, stderr: '' })),
    );
    const outputs = runs.map(({ stdout }) => stdout).sort();
    expect(outputs).toEqual(
      [...runs.slice(1).map(() => 'acme: no changes\n'), `${CREATED.join('\n')}\n`].sort(),
    );
  });
});
