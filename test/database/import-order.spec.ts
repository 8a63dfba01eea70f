import fc from 'fast-check';
import type { ClientContext } from '../../src/auth/index.js';
import { Database } from '../../src/database/index.js';
import { IMPORT_CLIENT, BulkWriter, RecordMatcher } from '../../src/records/index.js';
import { ChunkImporter } from '../../src/transfer/import/chunk-importer.js';
import { noCounts, type ImportCounts } from '../../src/transfer/import/imported-row.js';
import type { RowRouter } from '../../src/transfer/import/row-router.js';
import type { ReadRow } from '../../src/transfer/rows/source-row.js';
import { sql } from '../support/database/stored-records.js';
import { storm } from '../support/storm.js';
import { TestService } from '../support/test-service.js';

type Key = 'external_id' | 'email' | 'id';

/** A row of an import. Numbers stand for values of keys; of an id, for the records that are there. */
interface Row {
  readonly id: number;
  readonly external_id: number | undefined;
  /** Null clears it. */
  readonly email: number | null | undefined;
  readonly first_name: string;
}

interface Outcome {
  readonly counts: ImportCounts;
  readonly rejections: readonly unknown[];
}

const PRESENT: readonly Row[] = [0, 1, 2].map((n) => ({ id: n, external_id: n, email: n, first_name: 'P' }));

const value = fc.integer({ min: 0, max: 4 });
const row: fc.Arbitrary<Row> = fc.record({
  id: fc.integer({ min: 0, max: 2 }),
  external_id: fc.oneof({ arbitrary: value, weight: 6 }, { arbitrary: fc.constant(undefined), weight: 1 }),
  email: fc.oneof({ arbitrary: value, weight: 6 }, fc.constantFrom(null, undefined)),
  first_name: fc.constantFrom('A', 'B'),
});

/** Rows of an id, an external id and an e-mail, in which a row frees a key that a later one wants. */
const ORDERS: readonly [Row[]][] = [
  [
    [0, 3, 3],
    [1, 4, 3],
    [0, 3, 4],
    [2, 0, 3],
  ],
  [
    [0, 0, 0],
    [0, 0, 3],
    [1, 4, 0],
  ],
].map((rows) => [rows.map(([id = 0, external_id, email]) => ({ id, external_id, email, first_name: 'A' }))]);

let service: TestService;
let importer: ChunkImporter;
let run = 0;

beforeAll(async () => {
  service = await TestService.shared();
  for (const slug of ['acme', 'globex']) await service.login(slug);
  const get = <T>(type: abstract new (...args: never[]) => T): T =>
    service.app.get(type as never, { strict: false });
  importer = new ChunkImporter(get(Database), get(RecordMatcher), get(BulkWriter), {} as RowRouter);
});
afterAll(() => service.stop());

/** What belongs to one run of a property, and not to another, in an account. */
class Import {
  private ids: readonly string[] = [];

  private constructor(
    private readonly client: ClientContext,
    private readonly prefix: string,
  ) {}

  /** Begins with the records that are there. */
  static async begin(slug: string, prefix: string): Promise<Import> {
    const client = { ...(await service.account(slug)), clientId: IMPORT_CLIENT, scopes: new Set<never>() };
    const begun = new Import(client, prefix);
    await begun.take('external_id', PRESENT);
    begun.ids = (await begun.records()).map(({ id }) => id);
    return begun;
  }

  async take(property: Key, rows: readonly Row[], dryRun = false): Promise<Outcome> {
    const counts = noCounts();
    const target = { objectType: 'contacts', property, router: undefined, dryRun } as const;
    const read = rows.map((each, index) => this.read(property, each, index));
    const rejections = await importer.take(this.client, target, { rows: read, counts });
    return { counts, rejections: rejections.map(({ row: { line }, message }) => [line, message]) };
  }

  /** Imports each row as a chunk of its own. */
  async takeEach(property: Key, rows: readonly Row[]): Promise<Outcome> {
    const counts = noCounts();
    const rejections: unknown[] = [];
    for (const [index, each] of rows.entries()) {
      const one = await this.take(property, [each]);
      for (const name of Object.keys(counts) as (keyof ImportCounts)[]) counts[name] += one.counts[name];
      rejections.push(...one.rejections.map((rejection) => [index, (rejection as unknown[])[1]]));
    }
    return { counts, rejections };
  }

  records(): Promise<{ id: string; fields: Record<string, string> }[]> {
    return sql(
      service,
      `SELECT id, fields FROM records WHERE account_id = $1 AND fields->>'last_name' = $2 ORDER BY id`,
      [this.client.accountId, this.prefix],
    );
  }

  /** What is stored, whatever the order of the records. */
  async stored(): Promise<string[]> {
    return (await this.records()).map(({ fields }) => JSON.stringify(Object.entries(fields).sort())).sort();
  }

  private read(property: Key, { id, external_id, email, first_name }: Row, line: number): ReadRow {
    const fields = {
      first_name,
      last_name: this.prefix,
      ...(external_id !== undefined && { external_id: `${this.prefix}-${external_id}` }),
      ...(email !== undefined && { email: email === null ? null : `${this.prefix}-${email}@X.test` }),
    };
    const key = property === 'id' ? this.ids[id] : fields[property];
    return { line, bytes: 1, content: null, key: key ?? null, fields };
  }
}

describe('The rows of a chunk', () => {
  it.each(['external_id', 'email', 'id'] as const)(
    'end as rows that are imported one by one, by %s, whatever keys they share [contract 7]',
    async (property) => {
      await fc.assert(
        fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 6 }), async (rows) => {
          const prefix = `r${run++}`;
          const [together, apart] = [
            await Import.begin('acme', prefix),
            await Import.begin('globex', prefix),
          ];
          const outcome = await together.take(property, rows);
          expect(outcome).toEqual(await apart.takeEach(property, rows));
          expect(await together.stored()).toEqual(await apart.stored());
        }),
        { numRuns: storm(40, ORDERS.length + 4), examples: [...ORDERS] },
      );
    },
  );

  it('are counted and refused in a dry run as they are when they are written [contract 5, contract 7]', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 6 }), async (rows) => {
        const one = await Import.begin('acme', `r${run++}`);
        const before = await one.stored();
        const dry = await one.take('email', rows, true);
        expect(await one.stored()).toEqual(before);
        expect(dry).toEqual(await one.take('email', rows));
      }),
      { numRuns: storm(30) },
    );
  });
});
