import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { equalShares, tijdeman, worstDeviation } from '../support/fairness.js';
import { Programs } from '../support/processes/program.js';
import { mail, nameOf, people, router, RoutingAccount } from '../support/routing-account.js';
import { TestService } from '../support/test-service.js';

const programs = new Programs();
let service: TestService;
let cwd: string;

// The server runs all the time: a command uses the database beside it.
beforeAll(async () => {
  service = await TestService.shared();
});
beforeEach(() => {
  cwd = programs.folder();
});
afterEach(() => programs.end());
afterAll(() => service.stop());

const open = (file: object = {}): Promise<RoutingAccount> =>
  RoutingAccount.open(service, { users: people(['ada', 'bob', 'eve']), ...file });

interface Imported {
  readonly code: number | null;
  readonly stderr: string;
  /** The document of --json. */
  readonly summary: any;
}

/** Imports a text of contacts as a file of that name, by their external ids unless another key is given. */
async function load(
  { slug }: RoutingAccount,
  [name, text]: readonly [name: string, text: string],
  ...more: string[]
): Promise<Imported> {
  writeFileSync(join(cwd, name), text);
  const key = more.includes('--key') ? [] : ['--key', 'external_id'];
  const args = ['import', '--account', slug, '--type', 'contacts', '--file', name, ...key, '--json', ...more];
  const { code, stdout, stderr } = await programs.cli(args, { DATABASE_URL: service.database.url }, { cwd });
  return { code, stderr, summary: JSON.parse(stdout) };
}

const counts = (
  created: number,
  updated: number,
  unchanged: number,
  rejected = 0,
): Record<string, number> => ({
  rows: created + updated + unchanged + rejected,
  created,
  updated,
  unchanged,
  rejected,
});

/** The fields and times of the contacts, by external id. */
async function stored(account: RoutingAccount): Promise<Record<string, any>> {
  const { records } = await account.stored();
  return Object.fromEntries(
    (records as any[])
      .filter(({ archived_at }) => archived_at === null)
      .map(({ fields, updated_at }) => [fields.external_id ?? fields.email, { ...fields, updated_at }]),
  );
}

const CSV =
  'external_id,email,first_name,phone\n1,A@x.test,Ada,5\n2,b@x.test,Bob,\n3,,"Eve\nof ""Acme""",7\n';

describe('import', () => {
  it('creates the records of a CSV file; running it again changes nothing [contract 7]', async () => {
    const account = await open();
    const first = await load(account, ['x.csv', CSV]);
    expect(first).toMatchObject({ code: 0, stderr: '', summary: { ...counts(3, 0, 0), finished: true } });
    const before = await stored(account);
    expect(before).toMatchObject({
      1: { email: 'a@x.test', first_name: 'Ada', phone: '5' },
      2: { email: 'b@x.test', first_name: 'Bob' },
      3: { first_name: 'Eve\nof "Acme"', phone: '7' },
    });
    expect(await load(account, ['x.csv', CSV])).toMatchObject({ code: 0, summary: counts(0, 0, 3) });
    expect(await stored(account)).toEqual(before);
  });

  it('keeps addresses as they are written, and changes nothing in whatever spelling they come [contract 3, contract 7]', async () => {
    const account = await open();
    const byMail = ['--key', 'email'];
    const rows = ['idn@bücher.test', 'dot@x.test.'].map((email) => `${email},A\n`).join('');
    const first = await load(account, ['x.csv', `email,first_name\n${rows}`], ...byMail);
    expect(first.summary).toMatchObject(counts(2, 0, 0));
    const before = await stored(account);
    expect(Object.keys(before).sort()).toEqual(['dot@x.test.', 'idn@bücher.test']);
    const others = ['IDN@xn--bcher-kva.test', 'dot@x.test'].map((email) => `${email},A\n`).join('');
    for (const each of [rows, others]) {
      const again = await load(account, ['x.csv', `email,first_name\n${each}`], ...byMail);
      expect(again.summary).toMatchObject(counts(0, 0, 2));
    }
    const changed = await load(
      account,
      ['x.csv', `email,first_name\n${others.replaceAll('A\n', 'B\n')}`],
      ...byMail,
    );
    expect(changed.summary).toMatchObject(counts(0, 2, 0));
    expect(await stored(account)).toMatchObject({
      'idn@bücher.test': { email: 'idn@bücher.test', first_name: 'B' },
      'dot@x.test.': { email: 'dot@x.test.', first_name: 'B' },
    });
  });

  it('writes only what differs: an owner that stays keeps its date [contract 7]', async () => {
    const account = await open();
    const row = (phone: string): [string, string] => [
      'x.ndjson',
      `${JSON.stringify({ external_id: '1', email: 'a@x.test', contact_owner: mail('ada'), phone })}\n`,
    ];
    await load(account, row('1'));
    const { 1: before } = await stored(account);
    expect(await load(account, row('2'))).toMatchObject({ code: 0, summary: counts(0, 1, 0) });
    const { 1: after } = await stored(account);
    const { updated_at: _, ...fields } = before;
    expect(after).toMatchObject({ ...fields, phone: '2' });
    expect(after.updated_at).not.toEqual(before.updated_at);
  });

  it('leaves a field with an empty cell as it is unless --clear-empty is given; null clears in JSON [contract 7]', async () => {
    const account = await open();
    await load(account, ['x.csv', CSV]);
    const empty = 'external_id,phone,first_name\n1,,\n';
    expect((await load(account, ['x.csv', empty])).summary).toMatchObject(counts(0, 0, 1));
    expect((await load(account, ['x.csv', empty], '--clear-empty')).summary).toMatchObject(counts(0, 1, 0));
    const { 1: one } = await stored(account);
    expect(Object.keys(one).sort()).toEqual(['email', 'external_id', 'updated_at']);
    await load(account, ['x.jsonl', '{"external_id": 3, "phone": null}\n']);
    expect((await stored(account))[3]).not.toHaveProperty('phone');
  });

  it('finds records by any unique key in any of its forms, and by id, which makes none [contract 7]', async () => {
    const account = await open();
    const id = await account.contact({ email: 'a@x.test' });
    const byMail = 'E-mail;First = name\n A@X.test ;Ada\n';
    const mapped = ['--key', 'email', '--map', 'E-mail=email', '--map', 'First = name=first_name'];
    expect(await load(account, ['x.csv', byMail], ...mapped)).toMatchObject({ summary: counts(0, 1, 0) });
    const byId = `id,first_name\n${id},Eve\n${id.replace(/.$/, 'x')},A\n01890000-0000-7000-8000-000000000000,B\n,C\n`;
    expect(await load(account, ['x.csv', byId], '--key', 'id')).toMatchObject({
      code: 3,
      summary: {
        ...counts(0, 1, 0, 3),
        errors: [
          { line: 3, message: 'id must be that of a record' },
          { line: 4, message: 'No active record of contacts has this id' },
          { line: 5, message: 'id must not be empty' },
        ],
      },
    });
    expect((await stored(account))['a@x.test']).toMatchObject({ first_name: 'Eve' });
  });

  it('writes nothing where a column is unknown, and says which is meant [contract 7]', async () => {
    const account = await open();
    const text = 'external_id,frist_name\n1,Ada\n';
    const { code, summary } = await load(account, ['x.csv', text], '--map', 'Notes=');
    expect(code).toBe(1);
    expect(summary.error.message).toBe(
      'Unknown column: frist_name (did you mean first_name?)\nThere is no column Notes, which --map names',
    );
    expect(await stored(account)).toEqual({});
  });

  it.each([
    [['--key', 'phone'], '--key of contacts must be email or external_id or id'],
    [['--map', 'A=emial'], 'Unknown field: --map A=emial (did you mean email?)'],
    [['--router', 'Rx'], 'There is no router Rx'],
    [['--router', 'Deals'], 'The router Deals is for deals'],
    [['--router', 'Draft'], 'The router Draft is not published'],
    [['--rejects', './x.csv'], '--rejects must not be the file that is imported'],
    [['--format', 'xml'], 'Allowed choices are csv, ndjson'],
    [['--set', 'phone=5'], 'The column phone is for phone, and --set, too (--map "phone=" ignores it)'],
    [['--set', 'phone='], 'It must be field=value.'],
    [['--skip-invalid', 'phone,emial'], 'Unknown field: --skip-invalid emial (did you mean email?)'],
    [['--skip-invalid', 'external_id'], '--skip-invalid must not have the key external_id'],
    [['--date-format', 'dd/mm/yyyy'], '--date-format dd/mm/yyyy has no month'],
    [['--timezone', 'Berlin', '--format', 'ndjson'], '--timezone is for CSV files'],
  ])('is refused before anything is written: %j [contract 5, contract 7]', async (more, message) => {
    const account = await open({
      routers: [
        router('Deals', {}, { object_type: 'deals', users: people(['ada']) }),
        router('Draft', {}, { published: false, users: people(['ada']) }),
      ],
    });
    const { code, summary } = await load(account, ['x.csv', CSV], ...more);
    expect(code).toBe(1);
    expect(summary.error.message).toContain(message);
    expect(await stored(account)).toEqual({});
    expect(readFileSync(join(cwd, 'x.csv'), 'utf8')).toBe(CSV);
  });

  it('puts failing rows with line and reason into a file that is imported again once it is corrected [contract 5, contract 7]', async () => {
    const account = await open();
    await account.contact({ email: 'taken@x.test' });
    const text = [
      'external_id,email,lead_source,contact_owner',
      '1,a@x.test,,',
      '2,b@x.test,nowhere,nobody@acme.test',
      ',c@x.test,,',
      '4,taken@x.test,,',
      '5,e@x.test',
      '6,f@x.test,,ada@acme.test',
      '',
    ].join('\n');
    const { code, stderr, summary } = await load(account, ['x.csv', text], '--rejects', 'bad.csv');
    expect({ code, stderr }).toEqual({ code: 3, stderr: '' });
    expect(summary).toMatchObject({ ...counts(2, 0, 0, 4), errors_omitted: 0 });
    const bad = readFileSync(join(cwd, 'bad.csv'), 'utf8');
    const lines = bad.split('\n');
    expect(lines).toHaveLength(6);
    expect(lines[0]).toBe('_line,_error,external_id,email,lead_source,contact_owner');
    expect(lines[1]).toMatch(
      /^3,"lead_source must be one of: .*; contact_owner is not a user.*",2,b@x\.test,nowhere,nobody@acme\.test$/,
    );
    expect(lines[2]).toBe('4,"external_id must not be empty",,c@x.test,,');
    expect(lines[3]).toBe('5,"A contact with this email already exists",4,taken@x.test,,');
    expect(lines[4]).toBe('6,"The row has 2 cells, and the headings are 4",5,e@x.test');
    const again = await load(account, ['again.csv', bad], '--rejects', 'worse.csv');
    expect(again).toMatchObject({ code: 3, summary: counts(0, 0, 0, 4) });
    const reasons = (text: string): string[] => text.split('\n').map((line) => line.replace(/^\d+,/, ''));
    expect(reasons(readFileSync(join(cwd, 'worse.csv'), 'utf8'))).toEqual(reasons(bad));
    const corrected = bad
      .replace('nowhere', '')
      .replace('nobody', 'bob')
      .replace(',,c@', ',3,c@')
      .replace('5,e@x.test', '5,e@x.test,,')
      .replace('taken@', 'free@');
    expect(await load(account, ['y.csv', corrected])).toMatchObject({ code: 0, summary: counts(4, 0, 0) });
  });

  it('shows the first failing rows where there is no file for them [contract 5]', async () => {
    const account = await open();
    const rows = Array.from({ length: 30 }, (_, index) => `{"external_id": "${index}", "amount": 1}`);
    const { code, stderr, summary } = await load(account, ['x.ndjson', `${rows.join('\n')}\n`]);
    expect({ code, rejected: summary.rejected }).toEqual({ code: 3, rejected: 30 });
    const lines = stderr.trimEnd().split('\n');
    expect(lines).toHaveLength(21);
    expect(lines[0]).toMatch(/^Line 1: Unknown column: amount/);
    expect(lines[20]).toBe('and 10 more');
  });

  it('takes the first row of each key: later ones are rejected, and the second run changes nothing [contract 7]', async () => {
    const account = await open();
    // The repeated rows are in other chunks than the first one, too.
    const others = Array.from({ length: 600 }, (_, n) => `n${n},N,\n`).join('');
    const text = `external_id,first_name,phone\n1,A,1\n1,B,\n${others} 1,C,2\n1,C\n`;
    const errors = [
      { line: 3, message: 'Line 2 has this external_id already' },
      { line: 604, message: 'Line 2 has this external_id already' },
      { line: 605, message: 'The row has 2 cells, and the headings are 3' },
    ];
    const dry = await load(account, ['x.csv', text], '--dry-run');
    const first = await load(account, ['x.csv', text]);
    for (const { code, summary } of [dry, first])
      expect({ code, summary }).toMatchObject({
        code: 3,
        summary: { ...counts(601, 0, 0, 3), repeated_keys: 2, errors },
      });
    const before = await stored(account);
    expect(before[1]).toMatchObject({ first_name: 'A', phone: '1' });
    expect((await load(account, ['x.csv', text])).summary).toMatchObject({
      ...counts(0, 0, 601, 3),
      repeated_keys: 2,
    });
    expect(await stored(account)).toEqual(before);
  });

  it('says with --dry-run what it would do, and writes nothing [contract 5, contract 7]', async () => {
    const account = await open({ routers: [router('R', {}, { users: people(['ada']) })] });
    const dry = ['--dry-run', '--router', 'R'];
    expect(await load(account, ['x.csv', CSV], ...dry)).toMatchObject({
      code: 2,
      summary: { ...counts(3, 0, 0), dispatched: 3, dry_run: true },
    });
    expect(await stored(account)).toEqual({});
    expect(await account.log()).toEqual([]);
    await load(account, ['x.csv', CSV], '--router', 'R');
    expect(await load(account, ['x.csv', CSV], ...dry)).toMatchObject({
      code: 0,
      summary: { ...counts(0, 0, 3), dispatched: 0 },
    });
    const changed = `${CSV}4,e@x.test,Eve,\n5,not a mail,,,,x\n`.replace('Ada', 'Ann');
    expect(await load(account, ['x.csv', changed], ...dry)).toMatchObject({
      code: 3,
      summary: { ...counts(1, 1, 2, 1), dispatched: 1 },
    });
  });

  it('dispatches each record once, whatever forms its key has in the file [contract 5, contract 7]', async () => {
    const account = await open({ routers: [router('R', {}, { users: people(['ada']) })] });
    const file = 'email,last_name\nn1@x.test,A\nN1@X.test,B\nn2@x.test,A\n';
    const more = ['--key', 'email', '--router', 'R'];
    const summary = { ...counts(2, 0, 0, 1), repeated_keys: 1, dispatched: 2 };
    expect(await load(account, ['x.csv', file], ...more, '--dry-run')).toMatchObject({ code: 3, summary });
    expect(await load(account, ['x.csv', file], ...more)).toMatchObject({ code: 3, summary });
  });

  it('takes rows that want one key in the order of the file, behind the row that frees it [contract 7]', async () => {
    const account = await open();
    await account.contact({ external_id: 'E1', email: 'k1@x.test' });
    const rows = ['E2,k1', 'E1,k3', 'E3,K1'].map((row) => `${row}@x.test,A\n`);
    const file = ['external_id,email,first_name\n', ...rows].join('');
    expect((await load(account, ['x.csv', file])).summary).toMatchObject({
      ...counts(1, 1, 0, 1),
      errors: [{ line: 2, message: 'A contact with this email already exists' }],
    });
    expect(await stored(account)).toMatchObject({ E1: { email: 'k3@x.test' }, E3: { email: 'k1@x.test' } });
  });

  it('reads standard input, of any size [contract 7]', async () => {
    const { slug, ...account } = await open();
    const input = Array.from(
      { length: 1200 },
      (_, n) => `{"external_id": "${n}", "first_name": "N${n}"}`,
    ).join('\n');
    const args = ['import', '--account', slug, '--type', 'contacts', '--file', '-', '--key', 'external_id'];
    const run = (...more: string[]): ReturnType<Programs['cli']> =>
      programs.cli([...args, ...more], { DATABASE_URL: service.database.url }, { input });
    expect(await run()).toMatchObject({
      code: 1,
      stderr: 'What - contains is not clear: say --format csv or ndjson\n',
    });
    const { code, stdout, stderr } = await run('--format', 'ndjson');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe('1200 rows, 1200 created, 0 updated, 0 unchanged, 0 rejected\n');
    const { body } = await account.api.get('/contacts?limit=1');
    expect(body.pagination.count).toBe(1200);
  });
});

describe('import with a router', () => {
  const TEAM = ['ada', 'bob', 'eve'];
  const rows = (from: number, to: number): string =>
    Array.from({ length: to - from }, (_, n) => `{"external_id": "${from + n}", "first_name": "N"}\n`).join(
      '',
    );

  it('runs it once on each record, in the order of the file, at exact shares [contract 4, contract 7]', async () => {
    const account = await open({ routers: [router('R', { overwrite: true }, { users: people(TEAM) })] });
    const present = await account.create('contacts', { external_id: '5', first_name: 'N' });
    const first = await load(account, ['x.ndjson', rows(0, 100)], '--router', 'R');
    expect(first.summary).toMatchObject({ ...counts(99, 0, 1), dispatched: 100, assigned: 100 });
    const second = await load(account, ['x.ndjson', rows(50, 160)], '--router', 'R');
    expect(second.summary).toMatchObject({ ...counts(60, 0, 50), dispatched: 60 });
    expect((await load(account, ['x.ndjson', rows(0, 160)], '--router', 'R')).summary).toMatchObject({
      ...counts(0, 0, 160),
      dispatched: 0,
    });
    const log = await account.log();
    expect(log.map(({ object_id: id }) => id)[5]).toBe(present);
    expect(new Set(log.map(({ object_id: id }) => id)).size).toBe(160);
    const names = log.map(({ user_email: email }) => nameOf(email ?? ''));
    expect(worstDeviation(names, equalShares(TEAM))).toBeLessThanOrEqual(tijdeman(TEAM.length));
  });

  it('does not undo what the router has done: the owner of the file counts until it has run [contract 7]', async () => {
    const account = await open({
      routers: [router('R', { overwrite: true }, { users: people(['bob']) })],
    });
    const text =
      '{"external_id": "1", "first_name": "A", "contact_owner": "ada@acme.test"}\n{"external_id": "2", "first_name": "B", "contact_owner": null}\n';
    expect((await load(account, ['x.ndjson', text], '--router', 'R')).summary).toMatchObject({
      dispatched: 2,
    });
    const before = await stored(account);
    expect(before).toMatchObject({ 1: { contact_owner: mail('bob') }, 2: { contact_owner: mail('bob') } });
    expect((await load(account, ['x.ndjson', text], '--router', 'R')).summary).toMatchObject({
      ...counts(0, 0, 2),
      dispatched: 0,
    });
    expect(await stored(account)).toEqual(before);
  });

  it('logs a run that gives a record to nobody, and does not repeat it [contract 6, contract 7]', async () => {
    const account = await open({
      routers: [router('R', {}, { users: people(['ada']) })],
      users: people(TEAM, { available: false }),
    });
    const { summary } = await load(account, ['x.ndjson', rows(0, 2)], '--router', 'R');
    expect(summary).toMatchObject({ dispatched: 2, assigned: 0 });
    expect((await load(account, ['x.ndjson', rows(0, 2)], '--router', 'R')).summary).toMatchObject({
      dispatched: 0,
    });
    expect(await account.log()).toHaveLength(2);
  });
});
