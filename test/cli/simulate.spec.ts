// A service of its own: what is written in all accounts is compared.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Programs } from '../support/processes/program.js';
import { mail, nameOf, people, router, RoutingAccount, tally } from '../support/routing-account.js';
import { TestService } from '../support/test-service.js';
import { sql } from '../support/database/stored-records.js';
import { condition } from '../support/database/trigger-table.js';

const TEAM = ['ada', 'bob', 'eve'];
const NINE_TO_FIVE = [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], start: '09:00', end: '17:00' }];
const NOON = '2026-06-01T12:00:00.000Z';

const programs = new Programs();
let service: TestService;

beforeAll(async () => {
  // The test reads all that is stored before and after each command.
  service = await TestService.start();
});
afterEach(() => programs.end());
afterAll(() => service.stop());

/**
 * Returns an account whose router R has these settings and this configuration. By default the team takes
 * turns.
 */
const open = (settings: object = {}, pool: object = {}, file: object = {}): Promise<RoutingAccount> =>
  RoutingAccount.open(service, {
    users: people([...TEAM, 'dan']),
    ...file,
    routers: [router('R', settings, { users: people(TEAM), ...pool })],
  });

/**
 * Counts, which the service goes on to fold, and which are held against the truth when it stops; its
 * requests, which it notes each second; and that it runs, which it says thrice a minute.
 */
const COUNTS = [
  ...['record_counts', 'record_count_changes', 'record_counters'],
  'request_counts',
  'processes',
];

/** The statement that reads every other table, once it is known. */
let readAll: string | undefined;

/** Every row of every other table, with the transaction that wrote it. */
async function everything(): Promise<unknown[]> {
  if (readAll === undefined) {
    const tables = await sql<{ name: string }>(
      service,
      `SELECT tablename AS name FROM pg_tables
        WHERE schemaname = 'public' AND tablename NOT IN (${COUNTS.map((name) => `'${name}'`).join(', ')})
          AND NOT (SELECT relispartition FROM pg_class WHERE oid = tablename::regclass)`,
    );
    const selects = tables.map(
      ({ name }) => `SELECT '${name}' AS name, t.xmin::text, t::text AS row FROM "${name}" AS t`,
    );
    readAll = `${selects.join(' UNION ALL ')} ORDER BY 1, 3`;
  }
  return sql(service, readAll);
}

/** Replays a file through the router R of an account, which must leave the database as it is. */
async function simulate(
  { slug }: RoutingAccount,
  text: string,
  ...more: string[]
): ReturnType<Programs['cli']> {
  const cwd = programs.folder();
  writeFileSync(join(cwd, 'records.ndjson'), text);
  const args = ['simulate', '--account', slug, '--router', 'R', '--file', 'records.ndjson', ...more];
  const before = await everything();
  const result = await programs.cli(args, { DATABASE_URL: service.database.url }, { cwd });
  expect(await everything()).toEqual(before);
  return result;
}

const ndjson = (records: readonly object[]): string =>
  records.map((fields) => `${JSON.stringify(fields)}\n`).join('');

/**
 * Replays a file, or that number of records, with --json. @returns the document, which is the whole output
 */
async function replay(account: RoutingAccount, records: string | number, ...more: string[]): Promise<any> {
  const text = typeof records === 'string' ? records : '{}\n'.repeat(records);
  const { code, stdout, stderr } = await simulate(account, text, '--json', ...more);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
}

/** Returns the number of records of each user and of each reason in a document of the command. */
const counts = ({ users, reasons }: any): object => ({
  users: Object.fromEntries(users.map(({ user, records }: any) => [nameOf(user), records])),
  reasons: Object.fromEntries(reasons.map(({ reason, records }: any) => [reason, records])),
});

/** Returns the same counts for records that a service creates and dispatches one after the other. */
async function dispatchEach(account: RoutingAccount, records: readonly object[]): Promise<object> {
  const earlier = (await account.log()).length;
  for (const fields of records) await account.assign('R', await account.contact(fields));
  const log = (await account.log()).slice(earlier);
  return {
    users: tally(log.flatMap(({ user_email }) => (user_email === null ? [] : [nameOf(user_email)]))),
    reasons: tally(log.map(({ reason }) => reason)),
  };
}

describe('simulate', () => {
  it('prints who would get how many records, and why, as tables [contract 5, contract 6]', async () => {
    const account = await open({ trigger: condition('city', 'neq', 'Oslo') });
    const records = ndjson([...Array.from({ length: 8 }, () => ({ city: 'Rome' })), { city: 'Oslo' }]);
    expect(await simulate(account, records, '--at', '2026-06-01T14:00:00+02:00')).toEqual({
      code: 0,
      stderr: '',
      stdout: `9 records through R at ${NOON}

USER           RECORDS  SHARE
ada@acme.test  3        33.3 %
bob@acme.test  3        33.3 %
eve@acme.test  2        22.2 %

REASON               ASSIGNED  RECORDS  SHARE
round_robin          yes       8        88.9 %
trigger_not_matched  no        1        11.1 %
`,
    });
  });

  it('with --json prints the same as one document and nothing else [contract 5, contract 6]', async () => {
    const account = await open({ trigger: condition('city', 'neq', 'Oslo') });
    const records = ndjson([{ city: 'Rome' }, { city: 'Oslo' }, {}, { city: 'Oslo' }, { city: 'Bath' }]);
    expect(await replay(account, records, '--at', NOON)).toEqual({
      router: 'R',
      at: NOON,
      total: 5,
      users: TEAM.map((name) => ({ user: mail(name), records: 1, share: 0.2 })),
      reasons: [
        { reason: 'round_robin', assigned: true, records: 3 },
        { reason: 'trigger_not_matched', assigned: false, records: 2 },
      ],
    });
  });

  it('replays through the draft or an earlier version, as if it were published [contract 6]', async () => {
    const account = await open();
    await account.apply({ routers: [{ name: 'R', users: people(['dan']) }] });
    await account.apply({ routers: [{ name: 'R', published: false, users: people(['bob']) }] });
    const usersOf = async (...version: string[]): Promise<object> =>
      (counts(await replay(account, 3, ...version)) as { users: object }).users;
    expect(await usersOf()).toEqual({});
    expect(await usersOf('--version', 'draft')).toEqual({ bob: 3 });
    expect(await usersOf('--version', '2')).toEqual({ dan: 3 });
    expect(await usersOf('--version', '1')).toEqual({ ada: 1, bob: 1, eve: 1 });
    const unknown = await simulate(account, '{}', '--version', '3');
    expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('Version not found') });
    const unusable = await simulate(account, '{}', '--version', 'last');
    expect(unusable.stderr).toContain('It must be live, draft or the number of a version.');
    expect(unusable.code).toBe(1);
  });

  it('decides now unless told otherwise [contract 6]', async () => {
    const account = await open();
    const started = Date.now();
    const { at } = await replay(account, 1);
    expect(at).toBe(new Date(at).toISOString());
    expect(Date.parse(at)).toBeGreaterThanOrEqual(started);
    expect(Date.parse(at)).toBeLessThanOrEqual(Date.now());
  });

  it('takes the fields of a record bare or under "fields", and any line ends [contract 6]', async () => {
    const account = await open({ trigger: condition('city', 'eq', 'Rome') });
    const text = '\r\n{"city": "Rome"}\r\n\r\n  \r\n {"fields": {"city": "rome"}} \r\n\n{"city": "Oslo"}';
    expect(counts(await replay(account, text))).toEqual({
      users: { ada: 1, bob: 1 },
      reasons: { round_robin: 2, trigger_not_matched: 1 },
    });
  });

  it('takes a file that starts with a byte order mark [contract 6]', async () => {
    const account = await open();
    expect(counts(await replay(account, '\uFEFF{"city": "Rome"}\n'))).toMatchObject({ users: { ada: 1 } });
  });

  it('takes the records from standard input, where the file is - [contract 5]', async () => {
    const account = await open();
    const args = ['simulate', '--account', account.slug, '--router', 'R', '--file', '-', '--json'];
    const env = { DATABASE_URL: service.database.url };
    const { code, stdout } = await programs.cli(args, env, { input: '{}\n{}\n' });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ router: 'R', total: 2 });
  });

  it('of an empty file counts nothing [contract 6]', async () => {
    const account = await open();
    for (const text of ['', '\n\r\n']) {
      expect(await replay(account, text)).toMatchObject({ total: 0, users: [], reasons: [] });
    }
    expect(await simulate(account, '', '--at', NOON)).toEqual({
      code: 0,
      stderr: '',
      stdout: `0 records through R at ${NOON}\n\nUSER  RECORDS  SHARE\n\nREASON  ASSIGNED  RECORDS  SHARE\n`,
    });
  });
});

const TEAMS = [
  { name: 'Reds', members: [mail('ada'), mail('bob')] },
  { name: 'Blues', members: [mail('eve')] },
];
const ONE_FROM_ROME = {
  name: 'From Rome',
  object_type: 'contacts',
  field: 'city',
  values: ['Rome'],
  users: people(TEAM, { max: 1 }),
};
const CITIES = ['Rome', 'Oslo', 'Paris', 'Rome', 'Rome', 'Paris', 'Oslo', 'Rome', 'Paris', 'Rome'];
const RULES = [
  { name: 'Rome', trigger: condition('city', 'eq', 'Rome'), users: people(['dan', 'eve']) },
  { name: 'Paris', trigger: condition('city', 'eq', 'Paris') },
];

describe('the distribution that simulate tells', () => {
  it.each<[string, { settings?: object; pool?: object; file?: object }, object, object]>([
    ['round robin', {}, { ada: 4, bob: 3, eve: 3 }, { round_robin: 10 }],
    [
      'percentage',
      {
        settings: { distribution_model: 'percentage' },
        pool: { users: [...people(['ada'], { percentage: 70 }), ...people(['bob'], { percentage: 30 })] },
      },
      { ada: 7, bob: 3 },
      { percentage: 10 },
    ],
    [
      'load balanced, with room for one from Rome each',
      { settings: { distribution_model: 'load balanced' }, file: { capacities: [ONE_FROM_ROME] } },
      { ada: 2, bob: 3, eve: 3 },
      { load_balanced: 8, assignment_limit_reached: 2 },
    ],
    [
      'teams in turn',
      {
        settings: { rotation_type: 'teams' },
        pool: { users: [], teams: [{ name: 'Reds' }, { name: 'Blues' }] },
        file: { teams: TEAMS },
      },
      { ada: 3, bob: 2, eve: 5 },
      { round_robin: 10 },
    ],
    [
      'rules, and nobody for the rest',
      { settings: { rules: RULES }, pool: { users: [] } },
      { dan: 3, eve: 2 },
      { round_robin: 5, no_users_available: 3, no_rule_matched: 2 },
    ],
    [
      'rules, and the pool of the router',
      { settings: { rules: RULES } },
      { dan: 3, eve: 3, ada: 2, bob: 2 },
      { round_robin: 10 },
    ],
  ])(
    'is what dispatches then do: %s [4.6, contract 6]',
    async (_, { settings, pool, file }, users, reasons) => {
      const account = await open(settings, pool, file);
      const records = CITIES.map((city) => ({ city }));
      const told = counts(await replay(account, ndjson(records)));
      expect(told).toEqual({ users, reasons });
      expect(await dispatchEach(account, records)).toEqual(told);
    },
  );

  it('counts matched accounts and owners who stay [4.6, contract 6]', async () => {
    const account = await open({ account_matching: true });
    await account.create('companies', { website_url: 'globex.com', company_owner: mail('dan') });
    const [one, two] = [{ email: 'a@globex.com' }, { email: 'b@globex.com' }];
    const records = [one, {}, { contact_owner: mail('ada') }, two];
    const told = counts(await replay(account, ndjson(records)));
    expect(told).toEqual({
      users: { dan: 2, ada: 1 },
      reasons: { account_matched: 2, round_robin: 1, owner_present: 1 },
    });
    expect(await dispatchEach(account, records)).toEqual(told);
  });

  it('counts records for the owners that they have in the file [contract 4, contract 6]', async () => {
    const account = await open({ distribution_model: 'load balanced', overwrite: true });
    const told = counts(await replay(account, ndjson(Array(9).fill({ contact_owner: mail('ada') }))));
    expect(told).toEqual({
      users: { ada: 3, bob: 3, eve: 3 },
      reasons: { load_balanced: 6, already_owner: 3 },
    });
  });

  it('goes on from where the rotations stand, and moves none of them [contract 6]', async () => {
    const account = await open({ rules: [RULES[0]] });
    const records = [{ city: 'Rome' }, { city: 'Oslo' }];
    const dispatched = { users: { dan: 1, ada: 1 }, reasons: { round_robin: 2 } };
    expect(await dispatchEach(account, records)).toEqual(dispatched);
    const told = { users: { eve: 1, bob: 1 }, reasons: { round_robin: 2 } };
    for (let run = 0; run < 2; run++) expect(counts(await replay(account, ndjson(records)))).toEqual(told);
    expect(await dispatchEach(account, records)).toEqual(told);
  });

  it('is by working hours and absences at the instant of --at [contract 4, contract 6]', async () => {
    const away = [{ from: '2026-06-01T00:00:00Z', to: '2026-06-08T00:00:00Z' }];
    const users = [
      ...people(['ada'], { working_hours: NINE_TO_FIVE }),
      ...people(['bob'], { out_of_office: away }),
      ...people(['eve'], { available: false }),
    ];
    const account = await open({}, {}, { users });
    const at = async (instant: string): Promise<object> => counts(await replay(account, 4, '--at', instant));
    expect(await at(NOON)).toEqual({ users: { ada: 4 }, reasons: { round_robin: 4 } });
    expect(await at('2026-06-09T18:00Z')).toEqual({ users: { bob: 4 }, reasons: { round_robin: 4 } });
    expect(await at('2026-06-01T18:00Z')).toEqual({ users: {}, reasons: { no_users_available: 4 } });
    expect(await at('2026-06-09T12:00Z')).toEqual({ users: { ada: 2, bob: 2 }, reasons: { round_robin: 4 } });
  });

  it('is as even over thousands of records, and as bound by limits [4.6, contract 6]', async () => {
    const rules = [
      { name: 'Rome', trigger: condition('city', 'eq', 'Rome'), users: people(['dan']) },
      { name: 'Paris', trigger: condition('city', 'eq', 'Paris'), users: people(TEAM) },
    ];
    const users = [...people(TEAM), { email: mail('dan'), limits: { day: 450 } }];
    const account = await open({ rules }, { users: [] }, { users });
    // The records come in long series, so that the turns of one rule must be kept during the series of the
    // other.
    const cities = [500, 1500, 500, 1501].flatMap((length, spell) =>
      Array.from({ length }, () => ({ city: ['Paris', 'Rome'][spell % 2] })),
    );
    expect(counts(await replay(account, ndjson(cities)))).toEqual({
      users: { ada: 334, bob: 333, eve: 333, dan: 450 },
      reasons: { round_robin: 1450, assignment_limit_reached: 2551 },
    });
  });
});

describe('simulate fails', () => {
  let account: RoutingAccount;

  beforeAll(async () => {
    account = await open();
    await RoutingAccount.open(service, { routers: [router('Elsewhere', {})] });
  });

  /** Replays a file, which must fail. @returns the error message, which is one line */
  async function complaint(text: string, ...more: string[]): Promise<string> {
    const { code, stdout, stderr } = await simulate(account, text, ...more);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^[^\n]+\n$/);
    if (!more.includes('--json')) expect(stdout).toBe('');
    else expect(JSON.parse(stdout).error.message).toBe(stderr.trimEnd());
    return stderr.trimEnd();
  }

  it.each([
    ['{}\n{"city":\n{}', 'Line 2 is not JSON'],
    ['{}\n\r\n\n[{}]', 'Line 4 is not a JSON object'],
    ['{}\r\nnull\r\n', 'Line 2 is not a JSON object'],
  ])('on the file %j, naming the line: %s [contract 5]', async (text, message) => {
    expect(await complaint(text)).toBe(message);
  });

  it.each([
    ['{}\n\n{"nope": 1}\n', 'Line 3: Unknown field: nope'],
    ['{}\n{"fields": []}', 'Line 2: fields must be an object of field names and values'],
    ['{}\n{"fields": {"city": []}}', 'Line 2: city must be a string, a number or a boolean'],
  ])('on the file %j, naming line and field: %s [2.6, contract 5]', async (text, message) => {
    expect(await complaint(text)).toBe(message);
  });

  it('before the file is read, where there is no such router [contract 5]', async () => {
    const message = await complaint('{}\n', '--router', 'nope', '--file', 'missing.ndjson');
    expect(message).toBe('There is no router nope');
  });

  it.each([
    [['--account', 'nope'], 'There is no account nope'],
    [['--router', 'nope'], 'There is no router nope'],
    [['--router', 'Elsewhere'], 'There is no router Elsewhere'],
    ...['noon', '2026-02-30', ''].map((at): [string[], string] => [
      ['--at', at],
      `error: option '--at <instant>' argument '${at}' is invalid. It must be an ISO 8601 date and time.`,
    ]),
    [['--json', '--router', 'nope'], 'There is no router nope'],
  ])('with %j: %s [1, contract 5]', async (args, message) => {
    expect(await complaint('{}\n', ...args)).toBe(message);
  });

  it.each([
    ['missing.ndjson', 'ENOENT'],
    ['.', 'EISDIR'],
  ])('with a file %s that cannot be read, naming it [contract 5]', async (file, code) => {
    expect(await complaint('{}\n', '--file', file)).toBe(`Cannot read ${file}: ${code}`);
  });
});
