import type { ApiClient } from '../support/api-client.js';
import { TestService } from '../support/test-service.js';

let service: TestService;
let api: ApiClient;

beforeAll(async () => {
  service = await TestService.start();
  api = await service.login('acme');
});
afterAll(() => service.stop());

describe('POST on a collection', () => {
  it('creates a contact and returns its flat object [2.1, 2.2, 4.3]', async () => {
    const { status, body } = await api.post('/contacts', {
      fields: { first_name: 'Ada', email: 'Ada@Example.com' },
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      first_name: 'Ada',
      last_name: null,
      email: 'ada@example.com',
      contact_owner: null,
      external_id: null,
      created_at: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/),
      updated_at: body.created_at,
      archived: false,
    });
  });
});
