import { Database } from '../../src/database/index.js';
import { IMPORT_CLIENT, BulkWriter } from '../../src/records/index.js';
import { RowWriter, type RowToWrite } from '../../src/transfer/import/row-writer.js';
import type { ApiClient } from '../support/api-client.js';
import { TestService } from '../support/test-service.js';

let service: TestService;
let api: ApiClient;
let writer: RowWriter;

beforeAll(async () => {
  service = await TestService.shared();
  api = await service.login('acme');
  writer = new RowWriter(
    service.app.get(Database, { strict: false }),
    service.app.get(BulkWriter, { strict: false }),
  );
});
afterAll(() => service.stop());

const contact = async (fields: object): Promise<string> => (await api.post('/contacts', { fields })).body.id;

/** A row by its e-mail that differs from a record in the city. */
const differing = (email: string, id: string, more: object): RowToWrite => ({
  key: { property: 'email', value: email },
  id,
  fields: { city: 'Oslo' },
  whole: { email, city: 'Oslo', ...more },
});

const write = async (...rows: RowToWrite[]): ReturnType<RowWriter['write']> =>
  writer.write(
    { ...(await service.account('acme')), clientId: IMPORT_CLIENT, scopes: new Set() },
    'contacts',
    rows,
  );

const shown = async (id: string): Promise<any> => (await api.get(`/contacts/${id}?properties=city`)).body;

describe('A row whose key another record has by now', () => {
  it('is written whole to that record [contract 7]', async () => {
    const compared = await contact({ first_name: 'Ada', external_id: 'one' });
    const other = await contact({ email: 'moved@x.test' });
    const [written] = await write(differing('moved@x.test', compared, { first_name: 'Ada' }));
    expect(written).toEqual({ id: other, created: false });
    expect(await shown(other)).toMatchObject({ first_name: 'Ada', city: 'Oslo' });
    expect(await shown(compared)).toMatchObject({ city: null });
  });

  it('is refused, and nothing of it written, where all of it cannot be [contract 7]', async () => {
    const compared = await contact({ first_name: 'Bob', external_id: 'two' });
    const other = await contact({ email: 'taken@x.test' });
    const written = await write(differing('taken@x.test', compared, { external_id: 'two' }), {
      key: { property: 'email', value: 'new@x.test' },
      id: undefined,
      fields: { city: 'Rome' },
      whole: { city: 'Rome' },
    });
    expect(written).toMatchObject([{ refused: { status: 409 } }, { created: true }]);
    expect(await shown(other)).toMatchObject({ external_id: null, city: null });
  });
});
