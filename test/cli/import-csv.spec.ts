import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Programs } from '../support/processes/program.js';
import { RoutingAccount } from '../support/routing-account.js';
import { TestService } from '../support/test-service.js';

const programs = new Programs();
let service: TestService;
let account: RoutingAccount;
let cwd: string;

beforeAll(async () => {
  service = await TestService.shared();
});
beforeEach(async () => {
  cwd = programs.folder();
  account = await RoutingAccount.open(service, {});
});
afterEach(() => programs.end());
afterAll(() => service.stop());

/** Imports contacts by their external ids from a file of that name. @returns the document of --json, too */
async function load(name: string, content: string | Buffer, ...more: string[]): Promise<any> {
  writeFileSync(join(cwd, name), content);
  const args = ['import', '--account', account.slug, '--type', 'contacts', '--file', name, '--json'];
  const env = { DATABASE_URL: service.database.url };
  const { code, stdout } = await programs.cli([...args, '--key', 'external_id', ...more], env, { cwd });
  return { code, ...JSON.parse(stdout) };
}

/** The first names of the contacts, by external id. */
async function names(): Promise<Record<string, unknown>> {
  const { records } = await account.stored();
  return Object.fromEntries((records as any[]).map(({ fields }) => [fields.external_id, fields.first_name]));
}

describe('import of CSV as people have it', () => {
  it('imports what stands around rows that cannot be read, which its file of rejected rows has [contract 7]', async () => {
    const rows = [
      '1,19" Customs\r',
      '2,"B"o"b"\r\n',
      '3, "Eve" \n',
      ',\n',
      '4,"open\n',
      '5,Ren\xe9e\r\n',
      '6,"F"\n',
    ];
    const text = Buffer.from(['external_id,first_name\r\n', ...rows].join(''), 'latin1');
    const summary = await load('x.csv', text, '--rejects', 'bad.csv');
    expect(summary).toMatchObject({ code: 3, rows: 6, created: 3, rejected: 3, finished: true });
    expect(await names()).toEqual({ 1: '19" Customs', 3: 'Eve', 6: 'F' });
    const bad = readFileSync(join(cwd, 'bad.csv'), 'latin1');
    const kept = bad.split('\n').map((line) => line.replace(/^(\d+),"(?:[^"]|"")*",/, '$1 '));
    expect(kept).toEqual([
      '_line,_error,external_id,first_name',
      '3 2,"B"o"b"',
      '6 4,"open',
      '7 5,Ren\xe9e',
      '',
    ]);
    const corrected = Buffer.from(bad.replace('"B"o"b"', 'Bob').replace('"open', 'open'), 'latin1');
    const windows = ['--encoding', 'windows-1252'];
    expect(await load('x.csv', corrected, ...windows)).toMatchObject({ code: 0, rows: 3, created: 3 });
    expect(await names()).toMatchObject({ 2: 'Bob', 4: 'open', 5: 'Renée' });
  });

  it('leaves lines before the headings out, and takes the separator that the file says [contract 7]', async () => {
    const text = 'Leads of 2026\r\nsep=^\r\n\r\n^\r\nexternal_id^first_name\r\n^\r\n1^A,B;C\r\n';
    expect(await load('x.csv', text, '--skip-lines', '1')).toMatchObject({ code: 0, rows: 1, created: 1 });
    expect(await names()).toEqual({ 1: 'A,B;C' });
    const refused = async (name: string, ...more: string[]): Promise<string> => {
      const { code, error } = await load(name, text, ...more);
      expect(code).toBe(1);
      return error.message;
    };
    expect(await refused('x.csv', '--encoding', 'klingon')).toContain('such as utf-8, windows-1252,');
    expect(await refused('x.csv', '--skip-lines', '-1')).toContain('It must be a number of lines');
    expect(await refused('x.ndjson', '--encoding', 'utf-16le')).toContain('is for CSV');
  });
});
