import { Database } from '../../src/database/index.js';
import { IMPORT_CLIENT, BulkWriter } from '../../src/records/index.js';
import type { ApiClient } from '../support/api-client.js';
import { TestService } from '../support/test-service.js';

let service: TestService;
let api: ApiClient;

beforeAll(async () => {
  service = await TestService.shared();
  api = await service.login('acme');
});
afterAll(() => service.stop());

const contact = async (fields: object): Promise<string> => (await api.post('/contacts', { fields })).body.id;

interface Row {
  readonly id: string;
  readonly fields: object;
  readonly fieldsIfNew: object;
  readonly onlyForId: string | undefined;
}

/** A row by its e-mail that differs from a record in the city. */
const differing = (email: string, id: string, more: object): Row => ({
  id: email,
  fields: { city: 'Oslo' },
  fieldsIfNew: { email, city: 'Oslo', ...more },
  onlyForId: id,
});

/** Writes rows as an import does. */
async function write(...inputs: Row[]): Promise<object[]> {
  const client = { ...(await service.account('acme')), clientId: IMPORT_CLIENT, scopes: new Set<never>() };
  const bulk = service.app.get(BulkWriter, { strict: false });
  const writes = {
    objectType: 'contacts',
    action: 'upsert',
    property: 'email',
    inputs,
    selection: {},
  } as const;
  return service.app
    .get(Database, { strict: false })
    .for(client)
    .transaction((transaction) => bulk.write({ ...client, transaction }, writes));
}

const shown = async (id: string): Promise<any> => (await api.get(`/contacts/${id}?properties=city`)).body;

describe('A row whose key another record has by now', () => {
  it('is written whole to that record [contract 7]', async () => {
    const compared = await contact({ first_name: 'Ada', external_id: 'one' });
    const other = await contact({ email: 'moved@x.test' });
    const [written] = await write(differing('moved@x.test', compared, { first_name: 'Ada' }));
    expect(written).toMatchObject({ status: 200, record: { id: other } });
    expect(await shown(other)).toMatchObject({ first_name: 'Ada', city: 'Oslo' });
    expect(await shown(compared)).toMatchObject({ city: null });
  });

  it('is refused, and nothing of it written, where all of it cannot be [contract 7]', async () => {
    const compared = await contact({ first_name: 'Bob', external_id: 'two' });
    const other = await contact({ email: 'taken@x.test' });
    const written = await write(differing('taken@x.test', compared, { external_id: 'two' }), {
      id: 'new@x.test',
      fields: { city: 'Rome' },
      fieldsIfNew: { city: 'Rome' },
      onlyForId: undefined,
    });
    expect(written).toMatchObject([{ error: { status: 409 } }, { status: 201 }]);
    expect(await shown(other)).toMatchObject({ external_id: null, city: null });
  });
});
