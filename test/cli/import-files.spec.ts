import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Programs } from '../support/processes/program.js';
import { mail, RoutingAccount } from '../support/routing-account.js';
import { TestService } from '../support/test-service.js';

const programs = new Programs();
let service: TestService;
let cwd: string;

beforeAll(async () => {
  service = await TestService.shared();
});
beforeEach(() => {
  cwd = programs.folder();
});
afterEach(() => programs.end());
afterAll(() => service.stop());

const USERS = [
  { email: mail('ada'), name: 'Ada Lovelace' },
  { email: mail('bob'), name: 'Bob' },
  { email: mail('bob2'), name: 'bob' },
];
const FIELDS = ['bool opted_in Opted in', 'datetime born Date of birth'].map((text) => {
  const [type, internal_name = '', ...label] = text.split(' ');
  return { object_type: 'contacts', internal_name, label: label.join(' '), type };
});

const open = (): Promise<RoutingAccount> => RoutingAccount.open(service, { users: USERS, fields: FIELDS });

interface Printed {
  readonly code: number | null;
  readonly stdout: string;
  readonly summary: any;
}

/** Imports the lines of a file. The key is `external_id` unless another one is given. */
async function load(
  account: RoutingAccount,
  type: string,
  lines: readonly string[],
  ...more: string[]
): Promise<Printed> {
  const file = more.includes('ndjson') ? 'x.ndjson' : 'x.csv';
  writeFileSync(join(cwd, file), `${lines.join('\n')}\n`);
  const key = more.includes('--key') ? [] : ['--key', 'external_id'];
  const args = ['import', '--account', account.slug, '--type', type, '--file', file, ...key, ...more];
  const { code, stdout } = await programs.cli(args, { DATABASE_URL: service.database.url }, { cwd });
  return { code, stdout, summary: stdout.startsWith('{') ? JSON.parse(stdout) : undefined };
}

/** The records of a type with all their fields, by external id. */
async function stored(
  { api }: RoutingAccount,
  type: string,
  properties: string,
): Promise<Record<string, any>> {
  const { body } = await api.get(`/${type}?limit=100&properties=${properties}`);
  return Object.fromEntries(body.data.map((record: any) => [record.external_id, record]));
}

const company = (account: RoutingAccount, external_id: string): Promise<string> =>
  account.create('companies', { company_name: 'C', external_id });

describe('A file of another system is imported by one command', () => {
  it('HubSpot: contacts with companies and owners [contract 7]', async () => {
    const account = await open();
    const acme = await company(account, '501');
    const lines = [
      'Record ID,First Name,Last Name,Email,Phone Number,Contact owner,Associated Company,Associated Company IDs,Create Date,Lead Status,Favourite Colour',
      '1,Ada,L,ada@x.test,5,Ada Lovelace,Acme,501,2024-01-15 10:00,NEW,red',
      '2,Bob,M,bob@x.test,,Ada <ada@acme.test>,,,2024-01-15 10:00,,',
      '3,Eve,N,eve@x.test,,bob,,,,,',
      '4,Joe,O,joe@x.test,,,,999,,,',
    ];
    const { code, summary } = await load(
      account,
      'contacts',
      lines,
      '--preset',
      'hubspot',
      '--ignore-unknown',
      '--json',
    );
    expect({ code, summary }).toMatchObject({
      code: 3,
      summary: {
        ...{ created: 2, rejected: 2, ignored: ['Favourite Colour', 'Lead Status', 'Create Date'] },
        errors: [
          {
            line: 4,
            message: `contact_owner may be one of 2 users whose name is bob: ${mail('bob2')}, ${mail('bob')}`,
          },
          { line: 5, message: 'company: no active company has the external_id 999' },
        ],
      },
    });
    expect(await stored(account, 'contacts', 'company,company_name,phone')).toMatchObject({
      1: { company: acme, company_name: 'Acme', phone: '5', contact_owner: mail('ada') },
      2: { company: null, contact_owner: mail('ada') },
    });
    const again = await load(
      account,
      'contacts',
      lines,
      '--preset',
      'hubspot',
      '--ignore-unknown',
      '--json',
      '--skip-invalid',
      'company,contact_owner',
    );
    expect(again).toMatchObject({
      code: 0,
      summary: { created: 2, unchanged: 2, skipped_values: { company: 1, contact_owner: 1 } },
    });
  });

  it('Salesforce: accounts, of which a deleted one is rejected [contract 7]', async () => {
    const account = await open();
    const lines = [
      'Id,IsDeleted,Name,Website,NumberOfEmployees,AnnualRevenue,BillingCity,OwnerId,CreatedDate,LastModifiedDate',
      '001A,false,Acme,https://www.acme.test/,120,1500000.5,Oslo,005X,2024-01-15T10:00:00.000Z,',
      '001B,true,Gone,gone.test,,,,005X,,',
    ];
    expect(await load(account, 'companies', lines, '--preset', 'salesforce', '--json')).toMatchObject({
      code: 3,
      summary: { created: 1, errors: [{ line: 3, message: 'Archived records are not imported' }] },
    });
    expect(
      await stored(account, 'companies', 'website_url,number_of_employees,annual_revenue,city'),
    ).toMatchObject({
      '001A': {
        website_url: 'acme.test',
        number_of_employees: '120',
        annual_revenue: '1500000.5',
        city: 'Oslo',
      },
    });
  });

  it('Zoho: deals, whose pipeline the file has not [contract 7]', async () => {
    const account = await open();
    const acme = await company(account, 'zcrm_1');
    const lines = [
      'Record Id,Deal Owner.id,Deal Owner,Amount,Deal Name,Closing Date,Account Name.id,Account Name,Stage,Created Time',
      'zcrm_9,zcrm_0,Ada Lovelace,"$ 95,570.69",Big,2026-09-12,zcrm_1,Acme,Negotiation,2024-01-15 10:00:00',
    ];
    const more = [
      '--preset',
      'zoho',
      '--set',
      'pipeline=Default',
      '--decimal',
      '.',
      '--ignore-unknown',
      '--json',
    ];
    expect(await load(account, 'deals', lines, ...more)).toMatchObject({ code: 0, summary: { created: 1 } });
    expect(await stored(account, 'deals', 'amount,close_date,company')).toMatchObject({
      zcrm_9: {
        ...{ amount: '95570.69', deal_stage: 'negotiation', pipeline: 'default', company: acme },
        ...{ close_date: '2026-09-12T00:00:00.000Z', deal_owner: mail('ada') },
      },
    });
  });

  it('Pipedrive: people, each with the first of their addresses that is a column [contract 7]', async () => {
    const account = await open();
    const acme = await company(account, '7');
    const lines = [
      'Person - ID;Person - Name;Person - First name;Person - Last name;Person - Email - Work;Person - Email - Home;Person - Phone - Mobile;Person - Organization;Organization - ID;Person - Owner;Person - Label',
      '11;Ada L;Ada;L;ada@x.test;home@x.test;5;Acme;7;Ada Lovelace;Hot',
    ];
    const more = ['--preset', 'pipedrive', '--ignore-unknown', '--json'];
    expect(await load(account, 'contacts', lines, ...more)).toMatchObject({
      code: 0,
      summary: { created: 1, ignored: ['Person - Label', 'Person - Name'] },
    });
    expect(await stored(account, 'contacts', 'phone,company,company_name')).toMatchObject({
      11: { first_name: 'Ada', email: 'ada@x.test', phone: '5', company: acme, company_name: 'Acme' },
    });
  });

  it('Excel: checkboxes, dates of a country and padded cells, of which --dry-run shows the first [contract 5, contract 7]', async () => {
    const account = await open();
    const lines = [
      'External ID;FIRST-NAME;E-Mail;Opted in;Date of birth;Firma;Contact Owner',
      ' 1 ;Ada; ada@x.test ;maybe;31.12.1999;x;',
      '2;Bob;bob@x.test;TRUE;31.12.1999 08:30;;ada lovelace',
      '3;Eve;eve@x.test;No;2000-02-29;;',
      '4;Joe;joe@x.test;0;2/3/2000;;',
    ];
    const more = ['--map', 'firma=', '--date-format', 'dd.MM.yyyy', '--timezone', 'Europe/Berlin'];
    const skip = ['--skip-invalid', 'opted_in', '--skip-invalid', 'born'];
    const { code, stdout } = await load(account, 'contacts', lines, ...more, ...skip, '--dry-run');
    expect({ code, stdout }).toEqual({
      code: 2,
      stdout: [
        'column         field          values',
        'External ID    external_id    1 | 2 | 3',
        'FIRST-NAME     first_name     Ada | Bob | Eve',
        'E-Mail         email          ada@x.test | bob@x.test | eve@x.test',
        'Opted in       opted_in       opted_in must be TRUE or FALSE, yes or … | true | false',
        'Date of birth  born           1999-12-30T23:00:00.000Z | born must be a date as dd.MM.yyyy, or o… | 2000-02-28T23:00:00.000Z',
        'Firma          (ignored)',
        `Contact Owner  contact_owner  (none) | ${mail('ada')} | (none)`,
        '',
        'Dry run: 4 rows, 4 created, 0 updated, 0 unchanged, 0 rejected',
        'Bad values left out: 1 of opted_in, 2 of born',
        '',
      ].join('\n'),
    });
    expect(await load(account, 'contacts', lines, ...more, '--json')).toMatchObject({
      code: 3,
      summary: {
        ...{ created: 1, skipped_values: {}, ignored: [] },
        errors: [
          { line: 2, message: 'opted_in must be TRUE or FALSE, yes or no, on or off, 1 or 0' },
          { line: 3, message: expect.stringContaining('born must be a date as dd.MM.yyyy') },
          { line: 5 },
        ],
      },
    });
    expect(await stored(account, 'contacts', 'opted_in,born')).toMatchObject({
      3: { opted_in: 'false', born: '2000-02-28T23:00:00.000Z' },
    });
  });
});

it('Lines of JSON have the same headings, references and owners, and values as JSON means them [contract 7]', async () => {
  const account = await open();
  const acme = await company(account, '7');
  const lines = [
    { 'External ID': 1, Email: 'a@x.test', 'company.external_id': 7, 'Contact owner': 'Ada Lovelace' },
    { external_id: 2, 'First name': 'B', opted_in: 'TRUE' },
    { external_id: 3, phone: '1', Phone: '2' },
  ];
  const texts = lines.map((line) => JSON.stringify(line));
  const { code, summary } = await load(
    account,
    'contacts',
    texts,
    '--format',
    'ndjson',
    '--dry-run',
    '--json',
  );
  expect({ code, summary }).toMatchObject({
    code: 3,
    summary: {
      mapping: [
        { column: 'External ID', field: 'external_id', values: ['1', '2'] },
        { column: 'Email', field: 'email', values: ['a@x.test', ''] },
        { column: 'company.external_id', field: 'company', values: [acme, ''] },
        { column: 'Contact owner', field: 'contact_owner', values: [mail('ada'), ''] },
        { column: 'external_id' },
        { column: 'First name' },
        { column: 'opted_in', values: ['', 'opted_in must be true, false, "true" or "false"'] },
        { column: 'phone' },
        { column: 'Phone' },
      ],
      errors: [
        { line: 2, message: 'opted_in must be true, false, "true" or "false"' },
        { line: 3, message: 'Two values are for phone' },
      ],
    },
  });
});
