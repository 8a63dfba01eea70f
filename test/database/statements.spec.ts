import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.js';
import { flush } from '../support/statements/collect.cjs';
import { OBSTACLES } from '../support/statements/obstacles.js';
import { report, type Judged, type Seen } from '../support/statements/report.js';
import { StatementJudge } from '../support/statements/statement-judge.js';
import { TestService } from '../support/test-service.js';
import { waitFor } from '../support/wait-for.js';

let test: TestDatabase;
let client: Client;
let judge: StatementJudge;

/** What the statements of `OBSTACLES` call. */
const EARLIER = `
  CREATE FUNCTION earlier_iso_utc(at timestamptz) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT substr(to_json(date_trunc('milliseconds', at AT TIME ZONE 'UTC'))::text, 2, 23) || 'Z' $$;
  CREATE FUNCTION earlier_count_of(account uuid) RETURNS bigint LANGUAGE sql STABLE AS $$
    SELECT count(*) FROM record_counts c WHERE c.account_id = account $$`;

beforeAll(async () => {
  test = await createTestDatabase();
  client = new Client({ connectionString: test.url });
  await client.connect();
  await client.query(EARLIER);
  judge = await StatementJudge.open(test.url);
});
afterAll(async () => {
  await judge.close();
  await client.end();
  await test.drop();
});

const rulesOf = async (text: string): Promise<string[] | undefined> => {
  const findings = await judge.judge(text);
  return findings && [...new Set(findings.map(({ rule }) => rule))].toSorted();
};

describe.each(OBSTACLES)('%s', (_, rules, refused, accepted) => {
  it('is found [contract 13]', async () => {
    expect(await rulesOf(refused)).toEqual(rules);
  });

  it('is not found in what reaches one shard [contract 13]', async () => {
    expect(await judge.judge(accepted)).toEqual([]);
  });
});

it('Statements on tables that the schema does not have are not judged [contract 13]', async () => {
  expect(await judge.judge('SELECT FROM of_an_extension')).toBeUndefined();
});

it('The schema has what each shard can hold for itself, and what cannot be is found [contract 13]', async () => {
  const before = await judge.judgeSchema();
  await client.query(`
    CREATE TABLE loose (id uuid);
    CREATE UNIQUE INDEX loose_team ON teams (id);
    CREATE UNIQUE INDEX sound_team ON teams (account_id, name);
    ALTER TABLE capacities ADD CONSTRAINT loose_capacity FOREIGN KEY (id) REFERENCES teams (id);
    ALTER TABLE capacities ADD CONSTRAINT sound_capacity FOREIGN KEY (account_id, id) REFERENCES teams (account_id, id)`);
  const found = (await judge.judgeSchema()).filter((name) => !before.includes(name));
  expect(found).toEqual([
    'foreign key loose_capacity of capacities',
    'table loose',
    'unique index loose_team',
  ]);
});

describe('The list of a run', () => {
  const sweep: Judged = {
    name: 'sweep',
    text: 'SELECT FROM records',
    kind: 'background',
    by: 'counts',
    findings: [{ rule: 'account', message: 'records: none' }],
  };
  const everyShard = [{ statement: 'sweep', reason: 'a sweep' }];
  const known = [{ statement: 'SELECT FROM*', rule: 'lock', reason: 'not yet' }];

  it('names the rule, the statement and all who send it [contract 13]', () => {
    const judged = [sweep, { ...sweep, kind: 'request' as const, by: 'GET /contacts' }];
    const [line, ...others] = report(judged, true, { everyShard: [], known: [] });
    expect(line).toBe('account: records: none\n    sweep (counts, GET /contacts)');
    expect(others).toEqual([]);
  });

  it('leaves out a sweep that may go to all shards, but not where a request sends it [contract 13]', () => {
    expect(report([sweep], true, { everyShard, known: [] })).toEqual([]);
    expect(report([{ ...sweep, kind: 'request' }], false, { everyShard, known: [] })).toHaveLength(1);
  });

  it('has what only one node knows of requests alone [contract 13]', () => {
    const locked = [{ rule: 'node', message: 'locks' }];
    expect(report([{ ...sweep, findings: locked }], true, { everyShard: [], known: [] })).toEqual([]);
    const sent: Judged = { ...sweep, kind: 'request', findings: locked };
    expect(report([sent], true, { everyShard: [], known: [] })).toHaveLength(1);
  });

  it('leaves out what is known by its rule alone [contract 13]', () => {
    const { name: _, ...unnamed } = sweep;
    const both = [...sweep.findings, { rule: 'lock', message: 'records: locked' }];
    expect(report([{ ...unnamed, findings: both }], true, { everyShard: [], known })).toHaveLength(1);
  });

  it('names an entry without a finding, where all statements were seen [contract 13]', () => {
    expect(report([], false, { everyShard, known })).toEqual([]);
    expect(report([], true, { everyShard, known })).toEqual([
      'list: nothing is found in SELECT FROM* any more',
      'list: nothing is found in sweep any more',
    ]);
  });
});

it('A statement is noted as that of the request that sends it [contract 13]', async () => {
  const service = await TestService.shared();
  const api = await service.login('statements');
  await api.get('/contacts');
  const kindsOf = (start: string): string[] => {
    const folder = process.env['FAIRLEAD_TEST_FOLDER'] ?? '';
    flush(folder);
    const lines = readFileSync(join(folder, `statements-${process.pid}.ndjson`), 'utf8')
      .trim()
      .split('\n');
    const noted = lines.map((line) => JSON.parse(line) as Seen);
    return noted.filter(({ name }) => name?.startsWith(start)).map(({ kind, by }) => `${kind} ${by}`);
  };
  expect(kindsOf('record_list_active')).toContainEqual(expect.stringMatching(/^request GET \/contacts/));
  await waitFor('the first sweep', () => kindsOf('record_counts_fold').includes('background counts'));
  await service.stop();
});
