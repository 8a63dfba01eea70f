import type { ClientContext } from '../../auth/index.js';
import type { Database } from '../../database/index.js';
import { FakeDatabase } from '../../../test/units/fake-database.js';
import { IMPORT_CLIENT, type BulkWriter } from '../../records/index.js';
import { RowWriter } from './row-writer.js';

const CLIENT: ClientContext = { accountId: 'acme', clientId: IMPORT_CLIENT, scopes: new Set() };
const ROW = { key: { property: 'email', value: 'a@x.test' }, id: undefined, fields: {}, whole: {} };

let database: FakeDatabase;
let writer: RowWriter;

beforeEach(() => {
  database = new FakeDatabase();
  const named = { write: () => Promise.resolve([{ status: 201, record: { id: 'one' } }]) };
  writer = new RowWriter(database as unknown as Database, named as unknown as BulkWriter);
});

describe('The rows of an import', () => {
  it('are one transaction, which may take as long as an administrator’s [contract 7]', async () => {
    expect(await writer.write(CLIENT, 'contacts', [ROW])).toEqual([{ id: 'one', created: true }]);
    expect(database.events).toEqual(['BEGIN', 'COMMIT']);
    // A large file meets none of the limits that requests have: nobody waits for an answer.
    expect(database.options).toEqual([{ long: true }]);
  });

  it('need no transaction where there are none [contract 7]', async () => {
    expect(await writer.write(CLIENT, 'contacts', [])).toEqual([]);
    expect(database.events).toEqual([]);
  });
});
