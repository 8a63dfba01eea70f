import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mail, people, RoutingAccount } from '../support/routing-account.js';
import { Programs } from '../support/processes/program.js';
import { sql } from '../support/database/stored-records.js';
import { TestService } from '../support/test-service.js';

const programs = new Programs();
let service: TestService;
let account: RoutingAccount;

beforeAll(async () => {
  service = await TestService.shared();
});
beforeEach(async () => {
  account = await RoutingAccount.open(service, {
    users: people(['ada', 'bob']),
    fields: [
      { object_type: 'contacts', internal_name: 'score', label: 'Score', type: 'number' },
      { object_type: 'contacts', internal_name: 'notes', label: 'Notes', type: 'string', long: true },
    ],
  });
});
afterEach(() => programs.end());
afterAll(() => service.stop());

const env = (): { DATABASE_URL: string } => ({ DATABASE_URL: service.database.url });

async function exported(...more: string[]): Promise<string> {
  const args = ['records', 'export', '--account', account.slug, '--type', 'contacts', ...more];
  const { code, stdout, stderr } = await programs.cli(args, env());
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

/** Creates contacts with these fields, one after the other. @returns their ids */
async function created(contacts: readonly object[], inOne = 100): Promise<string[]> {
  const ids: string[] = [];
  for (let from = 0; from < contacts.length; from += inOne) {
    const inputs = contacts
      .slice(from, from + inOne)
      .map((fields) => ({ fields: { first_name: 'Lead', ...fields } }));
    const { status, body } = await account.api.post('/contacts/batch/create', { inputs, atomic: true });
    expect({ status, errors: body.errors }).toEqual({ status: 200, errors: undefined });
    ids.push(...body.results.map(({ record }: { record: { id: string } }) => record.id));
  }
  return ids;
}

const lines = (text: string): any[] =>
  text
    .trimEnd()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

describe('records export', () => {
  it('prints every record with all its fields, oldest first, whatever their number [contract 7]', async () => {
    const contacts = Array.from({ length: 230 }, (_, n) => ({ external_id: `${n}`, score: `${n / 4}` }));
    const ids = await created(contacts);
    const records = lines(await exported());
    expect(records.map(({ id }) => id)).toEqual(ids);
    expect(records).toMatchObject(contacts);
    const { body } = await account.api.get(`/contacts/${ids[3]}?properties=phone,score,notes`);
    expect(records[3]).toMatchObject(body);
    expect(Object.keys(records[3]).slice(0, 2)).toEqual(['id', 'first_name']);
    expect(records[3]).toHaveProperty('lifecycle_stage', null);
    expect(records[3]).not.toHaveProperty('archived_by');
  });

  it.each([
    ['ndjson', '--format'],
    ['csv', '--format'],
    ['spreadsheet', '--for'],
  ])(
    'as %s is imported again without a change, into another account as new records, whatever they have [contract 7]',
    async (format, option) => {
      const odd = 'a;"b",c\r\n\t\u2028é😀 = 1';
      await account.contact({
        external_id: '1',
        first_name: odd,
        contact_owner: mail('ada'),
        score: '12.50',
      });
      await account.contact({
        external_id: '2',
        email: 'X@x.test',
        notes: `${odd}\n`.repeat(2000),
        last_name: ' ',
      });
      await account.contact({ external_id: '=1+1', score: 0, website_url: 'https://www.x.test/a' });
      await account.contact({
        external_id: "'=1",
        score: -5,
        phone: '+49 30',
        first_name: 'a\rb',
        last_name: 'c\nd',
      });
      const file = join(programs.folder(), format === 'ndjson' ? 'x.ndjson' : 'x.csv');
      const text = await exported(option, format);
      writeFileSync(file, text);
      const load = async ({ slug }: RoutingAccount): Promise<any> => {
        const args = ['import', '--account', slug, '--type', 'contacts', '--file', file, '--json'];
        const { stdout } = await programs.cli([...args, '--key', 'external_id', '--clear-empty'], env());
        return JSON.parse(stdout);
      };
      const before = await account.stored();
      expect(await load(account)).toMatchObject({ rows: 4, unchanged: 4, rejected: 0 });
      expect(await account.stored()).toEqual(before);
      const other = await RoutingAccount.open(service, await account.exported());
      expect(await load(other)).toMatchObject({ created: 4, rejected: 0 });
      const fields = async (of: RoutingAccount): Promise<unknown[]> =>
        ((await of.stored()).records as any[])
          .map(({ fields: { contact_owner_assigned_date: _, ...rest } }) => rest)
          .sort((a, b) => (a.external_id < b.external_id ? -1 : 1));
      expect(await fields(other)).toEqual(await fields(account));
    },
  );

  it('as CSV has a heading of all fields, and cells as texts [contract 7]', async () => {
    const id = await account.contact({ first_name: 'A, "B"', score: 1 });
    const [heading = '', row = ''] = (await exported('--format', 'csv')).split('\n');
    expect(heading).toMatch(/^id,first_name,last_name,email,.*,score,notes,created_at,updated_at,archived$/);
    expect(row).toMatch(new RegExp(`^${id},"A, ""B""",,,.*,1,,[^,]+Z,[^,]+Z,false$`));
  });

  it('for a spreadsheet has a mark of UTF-8, and no text that is a formula [contract 7]', async () => {
    await account.contact({ first_name: '=A1', phone: '+49 30', score: -5 });
    const [heading = '', row = '', ...rest] = (await exported('--for', 'spreadsheet')).split('\r\n');
    expect(heading).toMatch(/^\uFEFFid,.*,archived,_spreadsheet$/);
    expect(row).toMatch(/^[^,]+,'=A1,,,'\+49 30,.*,-5,.*,false,$/);
    expect(rest).toEqual(['']);
    const args = [
      'records',
      'export',
      '--account',
      account.slug,
      '--type',
      'contacts',
      '--for',
      'spreadsheet',
    ];
    const { code, stderr } = await programs.cli([...args, '--format', 'ndjson'], env());
    expect({ code, stderr }).toEqual({ code: 1, stderr: '--for spreadsheet is for CSV\n' });
  });

  it('has only those records that a filter takes, and archived ones where they are wanted [contract 4, contract 7]', async () => {
    const a = await account.contact({ first_name: 'A', score: 9, contact_owner: mail('ada') });
    const b = await account.contact({ first_name: 'B', score: 10 });
    const c = await account.contact({ first_name: 'C', score: 11 });
    await account.api.delete(`/contacts/${c}`);
    const ids = async (conditions: object[], ...more: string[]): Promise<string[]> => {
      const filter = JSON.stringify({ groups: [{ conditions }] });
      return lines(await exported('--filter', filter, ...more)).map(({ id }) => id);
    };
    expect(await ids([{ field: 'score', operator: 'gt', value: 9 }])).toEqual([b]);
    expect(await ids([{ field: 'score', operator: 'gt', value: 9 }], '--archived')).toEqual([b, c]);
    expect(await ids([{ field: 'contact_owner', operator: 'eq', value: 'ADA@acme.test' }])).toEqual([a]);
    const dated = { field: 'create_date', operator: 'gt', value: '2020-01-01' };
    const filter = JSON.stringify({ groups: [{ conditions: [dated] }] });
    expect(lines(await exported('--filter', filter))[0]).not.toHaveProperty('create_date');
    const [, , archived] = lines(await exported('--archived'));
    expect(archived).toMatchObject({ id: c, archived: expect.any(String), archived_by: expect.any(String) });
    expect(await ids([{ field: 'archived', operator: 'eq', value: true }], '--archived')).toEqual([c]);
    expect(await ids([{ field: 'archived', operator: 'eq', value: false }], '--archived')).toEqual([a, b]);
    expect(await ids([{ field: 'id', operator: 'in', value: [b.toUpperCase(), c] }])).toEqual([b]);
    const since = { field: 'updated_at', operator: 'gte', value: archived.archived };
    expect(await ids([since], '--archived')).toEqual([c]);
  });

  it('refuses a filter that is wrong, with its place [contract 5, contract 7]', async () => {
    const args = ['records', 'export', '--account', account.slug, '--type', 'contacts', '--json', '--filter'];
    const wrong = { groups: [{ conditions: [{ field: 'emial', operator: 'eq', value: 1 }] }] };
    const { code, stdout } = await programs.cli([...args, JSON.stringify(wrong)], env());
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      error: { errors: [{ path: 'filter.groups[0].conditions[0].field' }] },
    });
    expect((await programs.cli([...args, '{'], env())).stdout).toContain('It must be JSON');
  });

  it('is one document with --json [contract 5]', async () => {
    const list = async (): Promise<unknown> => JSON.parse(await exported('--json'));
    expect(await list()).toEqual([]);
    const ids = await account.contacts(150);
    expect(((await list()) as { id: string }[]).map(({ id }) => id).sort()).toEqual(ids.sort());
  });

  it('shows the e-mails that users have now, and takes them [contract 6, contract 7]', async () => {
    await account.contact({ external_id: '1', contact_owner: mail('ada') });
    const rows = await sql<{ id: string }>(
      service,
      `SELECT u.id FROM users u JOIN accounts a ON a.id = u.account_id WHERE a.slug = $1 AND u.email = $2`,
      [account.slug, mail('ada')],
    );
    const admin = await service.login(account.slug, ['manage']);
    expect((await admin.patch(`/users/${rows[0]!.id}`, { email: mail('zoe') })).status).toBe(200);
    const text = await exported();
    expect(lines(text)[0]).toMatchObject({ contact_owner: mail('zoe') });
    const args = [
      'import',
      '--account',
      account.slug,
      '--type',
      'contacts',
      '--file',
      '-',
      '--format',
      'ndjson',
    ];
    const { stdout } = await programs.cli([...args, '--key', 'external_id'], env(), { input: text });
    expect(stdout).toContain('0 updated, 1 unchanged');
  });

  it('ends quietly where its reader has enough [contract 5]', async () => {
    // Many times what a pipe or a socket holds.
    const long = Array.from({ length: 30 }, () => ({ notes: 'x'.repeat(120_000) }));
    await created(long, 8);
    const args = ['records', 'export', '--account', account.slug, '--type', 'contacts'];
    const program = programs.start(args, env());
    await program.readBeginning();
    const code = await program.exit();
    expect({ code, errors: program.stderr }).toEqual({ code: 0, errors: '' });
  });
});
