// A service of its own: commands print the slugs of accounts.
import { ApplyService } from '../../src/management/index.js';
import { ACME } from '../support/configuration.js';
import { Programs } from '../support/processes/program.js';
import { TestService } from '../support/test-service.js';

const programs = new Programs();
let service: TestService;
let before: object;

beforeAll(async () => {
  service = await TestService.start();
  await service.apply(ACME);
  before = await exported();
});
afterEach(() => programs.end());
afterAll(() => service.stop());

const cli = (args: readonly string[], input: string): ReturnType<Programs['cli']> =>
  programs.cli(args, { DATABASE_URL: service.database.url }, { input });

const exported = (): Promise<object> => service.app.get(ApplyService, { strict: false }).export('acme');

/**
 * Applies to the account acme a file that must be refused as a whole. @returns the lines on standard error
 */
async function refused(sections: string, flags: readonly string[] = []): Promise<string[]> {
  const { code, stdout, stderr } = await cli(
    ['apply', '-', ...flags],
    `accounts:\n  - slug: acme\n${sections}`,
  );
  expect(code).toBe(1);
  expect(stdout === '').toBe(!flags.includes('--json'));
  expect(stderr).not.toMatch(/^\s+at /m);
  expect(await exported()).toEqual(before);
  const lines = stderr.trimEnd().split('\n');
  for (const line of lines) expect(line).toMatch(/^line \d+, column \d+: accounts\[0\]/);
  return lines.map((line) => line.replace(/^line \d+, column \d+: /, ''));
}

/** Why a field cannot be long. */
const onlyStrings = (what: string): string =>
  `only a custom field of type string can be long, this one is ${what}`;

describe('a configuration file that cannot be applied', () => {
  it('says what is wrong with each field [2.5, 2.6, contract 5]', async () => {
    const types = 'string, number, bool, datetime, enumeration, user, reference';
    const naming =
      'internal_name must be 1 to 63 lower-case letters, digits and underscores, and start with a letter';
    const cases: [field: string, key: string, message: string][] = [
      ['internal_name: id, type: string', 'internal_name', 'internal_name id is reserved'],
      ['internal_name: archived_by, type: user', 'internal_name', 'internal_name archived_by is reserved'],
      ['internal_name: record_id, type: string', 'internal_name', 'internal_name record_id is reserved'],
      ['internal_name: created_at, type: datetime', 'internal_name', 'internal_name created_at is reserved'],
      [
        'internal_name: contact_owner_assigned_date, type: datetime',
        'internal_name',
        'internal_name contact_owner_assigned_date is reserved',
      ],
      [
        'internal_name: any_owner_assigned_date, type: string',
        'internal_name',
        'internal_name any_owner_assigned_date is reserved',
      ],
      ['internal_name: Score, type: number', 'internal_name', naming],
      ['internal_name: 1st, type: number', 'internal_name', naming],
      ['internal_name: constructor-x, type: number', 'internal_name', naming],
      ['internal_name: untyped', 'type', `type must be one of ${types}`],
      ['internal_name: mistyped, type: integer', 'type', `type must be one of ${types}`],
      ['internal_name: inherited, type: constructor', 'type', `type must be one of ${types}`],
      ['internal_name: kind, type: enumeration', 'options', 'an enumeration needs at least one option'],
      [
        'internal_name: sort, type: enumeration, options: []',
        'options',
        'an enumeration needs at least one option',
      ],
      [
        'internal_name: flag, type: bool, options: [{ internal_name: y }]',
        'options',
        'a bool field has no options',
      ],
      ['internal_name: phone, options: [{ internal_name: y }]', 'options', 'a string field has no options'],
      [
        'internal_name: lead_source, options: [{ internal_name: y }, { internal_name: Y }]',
        'options',
        'the option Y is named twice',
      ],
      [
        'internal_name: email, type: number',
        'type',
        'the type of contacts.email is string and cannot change',
      ],
      [
        'internal_name: lead_score, type: string',
        'type',
        'the type of contacts.lead_score is number and cannot change',
      ],
      [
        'internal_name: region, type: string',
        'type',
        'the type of contacts.region is enumeration and cannot change',
      ],
      ['internal_name: counter, type: number, long: true', 'long', onlyStrings('of type number')],
      ['internal_name: switch, type: bool, long: false', 'long', onlyStrings('of type bool')],
      [
        'internal_name: choice, type: enumeration, long: true, options: [{ internal_name: y }]',
        'long',
        onlyStrings('of type enumeration'),
      ],
      ['internal_name: city, long: true', 'long', onlyStrings('standard')],
      ['internal_name: external_id, long: true', 'long', onlyStrings('standard')],
    ];
    const fields = cases.map(([field]) => `      - { object_type: contacts, ${field} }\n`).join('');
    const expected = cases.map(
      ([, key, message], index) => `accounts[0].fields[${index}].${key}: ${message}`,
    );
    expect(await refused(`    fields:\n${fields}`)).toEqual(expected);
  });

  it('says which fields of the account cannot be long [contract 3, contract 5]', async () => {
    expect(
      await refused(`
    fields:
      - { object_type: contacts, internal_name: region, long: true }
      - { object_type: contacts, internal_name: lead_score, long: false }`),
    ).toEqual([
      `accounts[0].fields[0].long: ${onlyStrings('of type enumeration')}`,
      `accounts[0].fields[1].long: ${onlyStrings('of type number')}`,
    ]);
  });

  it('says of a field that one before it in the file has taken its name [2.5, contract 5]', async () => {
    expect(
      await refused(`
    fields:
      - { object_type: contacts, internal_name: engineer, type: user }
      - { object_type: contacts, internal_name: engineer_assigned_date, type: datetime }`),
    ).toEqual(['accounts[0].fields[1].internal_name: internal_name engineer_assigned_date is reserved']);
  });

  it('says of a value of a capacity that it is empty [contract 5, contract 6]', async () => {
    expect(
      await refused(`
    capacities:
      - { name: Named, object_type: contacts, field: last_name, values: [""], teams: [{ name: Sales, max: 5 }] }`),
    ).toEqual(['accounts[0].capacities[0].values[0]: a value must not be empty']);
  });

  it('says which users and teams do not exist [contract 4, contract 5]', async () => {
    const lines = await refused(`
    teams: [{ name: New, members: [ada@acme.test, nobody@acme.test, someone@acme.test] }]
    capacities:
      - name: Open
        object_type: contacts
        field: region
        values: [emea]
        users: [{ email: nobody@acme.test, max: 1 }]
        teams: [{ name: Nowhere, max: 1 }]
    routers:
      - { name: A, object_type: contacts, users: [{ email: ada@acme.test }, { email: nobody@acme.test }] }
      - { name: B, object_type: contacts, teams: [{ name: Sales }, { name: Nowhere }] }
      - { name: C, object_type: contacts, settings: { default_user: nobody@acme.test } }
      - { name: D, object_type: contacts, settings: { default_user: nobody } }`);
    expect(lines).toEqual([
      'accounts[0].teams[0].members[1]: nobody@acme.test is not a user of the account',
      'accounts[0].teams[0].members[2]: someone@acme.test is not a user of the account',
      'accounts[0].capacities[0].users[0].email: nobody@acme.test is not a user of the account',
      'accounts[0].capacities[0].teams[0].name: Nowhere is not a team of the account',
      'accounts[0].routers[0].users[1].email: nobody@acme.test is not a user of the account',
      'accounts[0].routers[1].teams[1].name: Nowhere is not a team of the account',
      'accounts[0].routers[2].settings.default_user: nobody@acme.test is not a user of the account',
      'accounts[0].routers[3].settings.default_user: default_user must be the e-mail of a user, or null',
    ]);
  });

  it('says what is wrong with the settings of a router [contract 4, contract 5]', async () => {
    const cases: [settings: string, key: string, message: RegExp][] = [
      [
        '{ overwrit: true }',
        'overwrit',
        /^Unknown key: overwrit \(did you mean overwrite\? known: owner_field, overwrite, /,
      ],
      ['{ overwrite: 1 }', 'overwrite', /^overwrite must be true or false$/],
      ['{ overwrite: "true" }', 'overwrite', /^overwrite must be true or false$/],
      [
        '{ distribution_model: random }',
        'distribution_model',
        /^distribution_model must be one of: .*round robin/,
      ],
      ['{ distribution_model: 5 }', 'distribution_model', /^distribution_model must be a string/],
      ['{ rotation_type: squads }', 'rotation_type', /^rotation_type must be one of: users, teams$/],
      ['{ owner_field: email }', 'owner_field', /^owner_field must be a field of contacts of type user/],
      ['{ owner_field: deal_owner }', 'owner_field', /^owner_field must be a field of contacts of type user/],
      ['{ default_user: 5 }', 'default_user', /^default_user must be the e-mail of a user, or null$/],
      ['{ trigger: [] }', 'trigger', /must be an object$/],
      ['{ trigger: { any: [] } }', 'trigger.any', /^Unknown key: any/],
      ['{ trigger: { groups: {} } }', 'trigger.groups', /must be a list$/],
      ['{ trigger: { groups: [5] } }', 'trigger.groups[0]', /must be an object$/],
      [
        condition('field: nope, operator: eq, value: x'),
        `${FIRST}.field`,
        /^Unknown field of contacts: nope$/,
      ],
      [
        condition('field: email, operator: like, value: x'),
        `${FIRST}.operator`,
        /^Unknown operator: like \(known: eq,/,
      ],
      [
        condition('field: email, operator: constructor'),
        `${FIRST}.operator`,
        /^Unknown operator: constructor/,
      ],
      [condition('field: lead_score, operator: gt, value: many'), `${FIRST}.value`, /number/],
      [condition('field: region, operator: eq, value: mars'), `${FIRST}.value`, /emea, apac/],
      [condition('field: email, operator: eq'), `${FIRST}.value`, /\S/],
      [condition('operator: eq, value: x'), `${FIRST}.field`, /must be a string that is not empty$/],
      [condition('field: email, operator: eq, value: x, not: y'), `${FIRST}.not`, /^Unknown key: not/],
    ];
    const routers = cases.map(
      ([settings], index) => `      - { name: R${index}, object_type: contacts, settings: ${settings} }\n`,
    );
    const lines = await refused(`    routers:\n${routers.join('')}`);
    const errors = lines.map((line) =>
      /^accounts\[0\]\.routers\[(\d+)\]\.settings\.([^:]+): (.*)$/.exec(line)!,
    );
    expect(errors.map(([, index, key]) => [Number(index), key])).toEqual(
      cases.map(([, key], at) => [at, key]),
    );
    for (const [at, [, , message]] of cases.entries()) expect(errors[at]![3]).toMatch(message);
  });

  it('says what is wrong with the pool of a router [contract 4, contract 5]', async () => {
    const shares = (users: string): string =>
      `object_type: deals, settings: { distribution_model: percentage }, users: [${users}]`;
    const ada = 'email: ada@acme.test';
    const grace = 'email: grace@acme.test';
    const lines = await refused(`
    routers:
      - { name: A, ${shares(`{ ${ada}, percentage: 60 }, { ${grace}, percentage: 30 }`)} }
      - { name: B, ${shares(`{ ${ada}, percentage: 60 }, { ${grace}, percentage: 60 }`)} }
      - { name: C, ${shares(`{ ${ada}, percentage: 100 }, { ${grace} }`)} }
      - { name: D, ${shares(`{ ${ada}, percentage: 0 }, { ${grace}, percentage: 0 }`)} }
      - { name: E, object_type: deals, settings: {}, users: [{ ${ada} }, { ${grace} }, { email: ADA@acme.test }] }
      - { name: F, object_type: deals, settings: {}, teams: [{ name: Sales }, { name: Sales }] }
      - { name: Shares, users: [{ ${ada}, percentage: 100 }, { ${grace}, percentage: 100 }] }
      - { name: G }
      - { name: Inbound, object_type: deals }
      - { name: H, object_type: contacts, settings: { account_matching: 1 } }
      - { name: I, object_type: deals, settings: { account_matching: true } }`);
    expect(lines).toEqual([
      'accounts[0].routers[0].users: percentages must sum to 100, not 90',
      'accounts[0].routers[1].users: percentages must sum to 100, not 120',
      'accounts[0].routers[2].users[1].percentage: percentage is required by the distribution model percentage',
      'accounts[0].routers[3].users: percentages must sum to 100, not 0',
      'accounts[0].routers[4].users[2].email: Listed twice: ada@acme.test',
      'accounts[0].routers[5].teams[1].name: Listed twice: Sales',
      'accounts[0].routers[6].users: percentages must sum to 100, not 200',
      'accounts[0].routers[7].object_type: object_type is required for a new router',
      'accounts[0].routers[8].object_type: the object type of this router is contacts and cannot change',
      'accounts[0].routers[9].settings.account_matching: account_matching must be true or false',
      'accounts[0].routers[10].settings.account_matching: account_matching is for routers of contacts only',
    ]);
  });

  it('is refused for its shape where no database answers [contract 5]', async () => {
    const file = `accounts:
  - slug: Acme!
    users: [{ email: nobody, available: maybe }]
    routers: [{ name: A, object_type: leads, users: [{ email: a@b.test, percentage: 101 }] }]
    colour: red
`;
    const args = ['apply', '-'];
    const { code, stdout, stderr } = await programs.cli(
      args,
      { DATABASE_URL: 'postgres://127.0.0.1:1/none' },
      { input: file },
    );
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr.trimEnd().split('\n').sort()).toEqual([
      'line 2, column 5: accounts[0].slug: slug must be 1 to 63 lower-case letters, digits and inner hyphens',
      'line 3, column 15: accounts[0].users[0].email: email must be an email',
      'line 3, column 30: accounts[0].users[0].available: available must be a boolean value',
      'line 4, column 26: accounts[0].routers[0].object_type: object_type must be one of the following values: contacts, companies, deals, tickets',
      'line 4, column 73: accounts[0].routers[0].users[0].percentage: percentage must not be greater than 100',
      'line 5, column 5: accounts[0].colour: Unknown key: colour (allowed: slug, name, suspended, holidays, users, teams, fields, capacities, routers, members, console_roles)',
    ]);
  });

  it('says all that is wrong with its shape first, and then all else [contract 5, contract 6]', async () => {
    const file = (timezone: string, members: string): string => `
    users:
      - { email: new@acme.test, timezone: ${timezone} }
    teams:
      - { name: Sales, members: [new@acme.test, gone@acme.test] }
      - { name: Nord, members: ${members} }
    fields:
      - { object_type: contacts, internal_name: Bad, type: string }
    routers:
      - { name: Inbound, users: [{ email: lost@acme.test }], teams: [{ name: Nord }, { name: West }] }`;
    expect((await refused(file('Mars', '3'))).sort()).toEqual([
      expect.stringMatching(/^accounts\[0\]\.teams\[1\]\.members: /),
      expect.stringMatching(/^accounts\[0\]\.users\[0\]\.timezone: /),
    ]);
    expect((await refused(file('UTC', '[]'))).sort()).toEqual([
      expect.stringMatching(/^accounts\[0\]\.fields\[0\]\.internal_name: internal_name must be 1 to 63/),
      'accounts[0].routers[0].teams[1].name: West is not a team of the account',
      'accounts[0].routers[0].users[0].email: lost@acme.test is not a user of the account',
      'accounts[0].teams[0].members[1]: gone@acme.test is not a user of the account',
    ]);
  });

  it('that is no YAML is refused with line and column [contract 5]', async () => {
    const { code, stdout, stderr } = await cli(['apply', '-'], 'accounts:\n  - slug: acme\n   name: x\n');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/ at line 3, column \d+/);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  it('is refused in a dry run and with --json too, on standard error [contract 5]', async () => {
    const bad = '    teams: [{ name: New, members: [nobody@acme.test] }]';
    const expected = ['accounts[0].teams[0].members[0]: nobody@acme.test is not a user of the account'];
    expect(await refused(bad, ['--dry-run'])).toEqual(expected);
    expect(await refused(bad, ['--json'])).toEqual(expected);
  });
});

const FIRST = 'trigger.groups[0].conditions[0]';

function condition(yaml: string): string {
  return `{ trigger: { groups: [{ conditions: [{ ${yaml} }] }] } }`;
}
