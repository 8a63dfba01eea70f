import { SCOPES } from '../../src/auth/index.js';
import { DEMO_CONFIGURATION, DEMO_SLUG } from '../../src/start/demo.js';
import type { ClientCredentials } from '../../src/management/index.js';
import { ApiClient } from '../support/api-client.js';
import { OpenApiDocument, type DocumentedOperation } from '../support/openapi-document.js';
import { linkFor, OF_PAGE } from '../support/person.js';
import { TestService } from '../support/test-service.js';

type Json = Record<string, any>;

let service: TestService;
let api: ApiClient;
let known: OpenApiDocument;
let client: ClientCredentials;
/** Ids of what there is, by the parameter of the path or the key of the body that takes them. */
const ids = new Map<string, string>();

beforeAll(async () => {
  service = await TestService.shared();
  await service.apply(DEMO_CONFIGURATION);
  client = await service.createClient(DEMO_SLUG, SCOPES);
  api = await service.login(DEMO_SLUG, SCOPES);
  known = await OpenApiDocument.of(service);
  const [router] = (await api.get('/routers')).body.data;
  ids.set('router_id', router.id).set('client_id', client.clientId);
  ids.set('token', await linkFor(service, DEMO_SLUG, { email: 'you@demo.test' }));
});
afterAll(() => service.stop());

const isCreation = ({ method, operation }: DocumentedOperation): boolean =>
  method === 'POST' && operation['responses']['201'] !== undefined;

const isChange = ({ method }: DocumentedOperation): boolean => method === 'PATCH';

/** The operations with bodies: those that create, those that change what was created, and then the others. */
function inOrder(): DocumentedOperation[] {
  const all = known.operations.filter(({ operation }) => operation['requestBody'] !== undefined);
  const rest = all.filter((each) => !isCreation(each) && !isChange(each));
  return [...all.filter(isCreation), ...all.filter(isChange), ...rest];
}

/** A path with the examples of its parameters, or the ids of what there is in their place. */
function filled({ path, parameters }: DocumentedOperation): string {
  const examples = new Map<string, string>();
  const query = new URLSearchParams();
  for (const { name, in: place, schema } of parameters) {
    const [example] = schema.examples ?? [];
    if (example === undefined) continue;
    if (place === 'query') query.set(name, example);
    else examples.set(name, example);
  }
  const named = path.replace(/\{(\w+)\}/g, (_, name: string) => examples.get(name) ?? ids.get(name)!);
  return `${named}?${query.toString()}`;
}

/** An example with the ids of what there is in the place of its own. */
function real(value: Json): Json {
  const known = (key: string, one: unknown): unknown => {
    if (key === 'client_secret') return client.clientSecret;
    if (key === 'object_ids') return [ids.get('contactId')];
    if (key === 'object_id') return ids.get('contactId');
    return ids.get(key) ?? one;
  };
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, known(key, one)]));
}

/** Sends a body, and notes the id of what it creates. @returns the status of the answer */
async function send(operation: DocumentedOperation, body: Json): Promise<number> {
  const { method, path } = operation;
  const answer = await api.request(method, filled(operation), real(body), { headers: OF_PAGE });
  const { id } = answer.body;
  if (method === 'PUT') return answer.status;
  const item = known.operations.find((each) => each.path.replace(/\{\w+\}$/, '') === `${path}/`)?.path;
  if (answer.status === 201) ids.set(item!.slice(path.length + 2, -1), id);
  return answer.status;
}

/** Sends a token request, as the media type and the name of the example say. */
async function ask(mediaType: string, name: string, value: Json): Promise<number> {
  const body = real(value);
  const raw =
    mediaType === 'application/json' ? JSON.stringify(body) : new URLSearchParams(body as never).toString();
  const credentials = Buffer.from(`${client.clientId}:${client.clientSecret}`).toString('base64');
  const authorization = name === 'basic' ? { Authorization: `Basic ${credentials}` } : {};
  const headers = { 'Content-Type': mediaType, ...authorization };
  return (await service.anonymous.post('/oauth2/token', undefined, { headers, raw })).status;
}

describe('each body in the OpenAPI document', () => {
  it('works as it stands, but for the ids of what there is [contract 5]', async () => {
    const sent: unknown[] = [];
    const expected: unknown[] = [];
    for (const each of inOrder()) {
      const { content } = each.operation['requestBody'];
      const successes = Object.keys(each.operation['responses']).filter((code) => code < '3');
      // An upsert answers 201 where the record is new, as it is here.
      const status = Number(successes.at(-1));
      for (const [mediaType, { examples }] of Object.entries<Json>(content)) {
        for (const [name, { value }] of Object.entries<Json>(examples)) {
          const isToken = each.path === '/oauth2/token';
          const answered = await (isToken ? ask(mediaType, name, value) : send(each, value));
          sent.push([each.operation['operationId'], name, answered]);
          expected.push([each.operation['operationId'], name, status]);
        }
      }
    }
    expect(sent).toEqual(expected);
    expect(sent.length).toBeGreaterThanOrEqual(26);
  });
});
