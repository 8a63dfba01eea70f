import { SCOPES } from '../../src/auth/index.js';
import { ERROR_CODES, TOKEN_ERROR_CODES } from '../../src/errors/domain-error.js';
import type { ApiClient } from '../support/api-client.js';
import { objectsIn, OpenApiDocument } from '../support/openapi-document.js';
import { isPublic, routesOf, type Route } from '../support/routes.js';
import { TestService } from '../support/test-service.js';

type Json = Record<string, any>;

let service: TestService;
let api: ApiClient;
let known: OpenApiDocument;
let document: Json;
let routes: Route[];

beforeAll(async () => {
  service = await TestService.shared();
  api = await service.login('acme', SCOPES);
  known = await OpenApiDocument.of(service);
  document = known.json;
  routes = routesOf(service.app);
});
afterAll(() => service.stop());

/** Names of the properties that a schema describes or requires, those of its parts included. */
function keysOf(schema: Json, what: 'properties' | 'required'): string[] {
  const { required = [], properties = {}, allOf = [], oneOf = [], anyOf = [] } = known.resolve(schema);
  const own: string[] = what === 'required' ? required : Object.keys(properties);
  return [...own, ...[...allOf, ...oneOf, ...anyOf].flatMap((part: Json) => keysOf(part, what))];
}

describe('the OpenAPI document', () => {
  it('is served without a token as OpenAPI 3.1, version 1.0.0 [9, contract 5]', async () => {
    const response = await service.anonymous.get('/openapi.json');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^application\/json\b/);
    expect(document['openapi']).toMatch(/^3\.1\.\d+$/);
    expect(document['info']).toMatchObject({ title: 'Fairlead', version: '1.0.0' });
  });

  it('lists every route that the application has, and no other [4, contract 5]', () => {
    const listed = known.operations
      .map(({ method, path }) => ({ method, path }))
      .sort((a, b) => (`${a.path} ${a.method}` < `${b.path} ${b.method}` ? -1 : 1));
    expect(listed).toEqual(routes);
    expect(routes.length).toBeGreaterThanOrEqual(26);
  });

  it.each([
    ['POST', '/oauth2/token'],
    ...['contact', 'company', 'deal', 'ticket'].flatMap((singular) => {
      const path = `/${singular === 'company' ? 'companies' : `${singular}s`}`;
      return [
        ['GET', path],
        ['POST', path],
        ...['GET', 'PATCH', 'DELETE'].map((method) => [method, `${path}/{${singular}Id}`]),
      ];
    }),
    ['GET', '/routers'],
    ['GET', '/routers/{routerId}'],
    ['POST', '/dispatch/router'],
    ['GET', '/.well-known/jwks.json'],
    ['GET', '/.well-known/oauth-authorization-server'],
    ['GET', '/health/live'],
    ['GET', '/health/ready'],
  ])('has %s %s [2.1, 4]', (method, path) => {
    expect(routes).toContainEqual({ method, path });
    expect(document['paths'][path][method.toLowerCase()]).toBeDefined();
  });

  it('has no version in any path [9]', () => {
    for (const { path } of routes) expect(path).not.toMatch(/\/v\d/);
  });

  it('asks for a token everywhere but for token issuance, its keys and health [4, 5.2, contract 5]', () => {
    const { securitySchemes } = document['components'];
    expect(Object.keys(securitySchemes)).toEqual(['oauth2', 'bearer', 'basic']);
    const { tokenUrl, scopes } = securitySchemes.oauth2.flows.clientCredentials;
    expect(tokenUrl).toBe('/oauth2/token');
    expect(Object.keys(scopes)).toEqual([...SCOPES]);
    expect(document['security']).toBeUndefined();
    for (const each of known.operations) {
      const { security } = each.operation;
      const names = security.flatMap((one: Json) => Object.keys(one));
      if (each.path === '/oauth2/token') expect(security).toEqual([{ basic: [] }, {}]);
      else if (isPublic(each)) expect(security).toEqual([]);
      else expect([...new Set(names)].sort()).toEqual(['bearer', 'oauth2']);
    }
  });

  it('names the scopes of every operation that takes a token, of which one is enough [5.5, contract 2]', () => {
    for (const { operation } of known.operations.filter((one) => !isPublic(one))) {
      const alternatives = operation['security'].filter((one: Json) => 'oauth2' in one);
      const scopes: string[] = alternatives.flatMap(({ oauth2 }: Json) => oauth2);
      expect(scopes.length).toBe(alternatives.length);
      expect(scopes.length).toBeGreaterThan(0);
      for (const scope of scopes) expect(SCOPES).toContain(scope);
      const named = scopes.map((scope) => `\`${scope}\``).join(' or ');
      expect(operation['description']).toMatch(new RegExp(`\\n\\nScope: ${named}\\.$`));
    }
  });

  it('has no reference that leads nowhere, and no schema, example or header that nothing refers to [contract 5]', () => {
    const used = new Set<string>();
    for (const { $ref } of objectsIn(document)) {
      if (typeof $ref !== 'string') continue;
      expect(() => known.resolve({ $ref })).not.toThrow();
      used.add($ref.slice('#/components/'.length));
    }
    const named = ['schemas', 'examples', 'headers', 'responses'].flatMap((kind) =>
      Object.keys(document['components'][kind]).map((name) => `${kind}/${name}`),
    );
    expect(named.sort()).toEqual([...used].sort());
  });

  it('requires a code of every error, one of a closed list, and has an error as example of each kind [contract 1]', () => {
    const { schemas, examples } = document['components'];
    for (const name of ['Error', 'TokenError']) {
      expect(schemas[name].required).toEqual(
        expect.arrayContaining(['message', 'error', 'code', 'request_id']),
      );
    }
    expect(schemas.Error.properties.code.enum).toEqual(ERROR_CODES);
    expect(schemas.TokenError.properties.code.enum).toEqual([...TOKEN_ERROR_CODES, 'rate_limited']);
    const errors = Object.entries<Json>(examples).filter(([, { value }]) => value.error === true);
    expect(errors.map(([code]) => code)).toEqual(expect.arrayContaining(['duplicate', 'not_found']));
    for (const [code, { value }] of errors) {
      expect([code, known.misfits({ $ref: '#/components/schemas/Error' }, value)]).toEqual([value.code, []]);
    }
  });

  it('describes every operation: a name of its own, a summary, its tag and its parameters [contract 5]', () => {
    const names = known.operations.map(({ operation }) => operation['operationId']);
    expect(new Set(names).size).toBe(names.length);
    for (const { path, operation, parameters } of known.operations) {
      expect(operation['operationId']).toMatch(/^[a-z][A-Za-z]+$/);
      expect(operation['summary']).toMatch(/\S/);
      expect(operation['description']).toMatch(/\S/);
      expect(operation['tags']).toHaveLength(1);
      const inPath = parameters.filter((parameter) => parameter['in'] === 'path');
      expect(inPath.map(({ name }) => `{${name}}`)).toEqual(path.match(/\{\w+\}/g) ?? []);
      for (const parameter of inPath) expect(parameter['required']).toBe(true);
      for (const parameter of parameters) {
        expect(['path', 'query', 'header']).toContain(parameter['in']);
        expect(known.resolve(parameter['schema'])['type']).toEqual(expect.any(String));
      }
      expect(new Set(parameters.map(({ name }) => name)).size).toBe(parameters.length);
    }
  });

  it('describes every answer: a success, with a schema, and each error as the error object [2.9, 7]', () => {
    for (const { method, path, operation } of known.operations) {
      const answers = Object.entries<Json>(operation['responses']);
      const successes = answers.filter(([status]) => status.startsWith('2'));
      // An upsert creates or updates.
      const some = method === 'PUT' ? ['200', '201'] : [expect.stringMatching(/^20[014]$/)];
      expect(successes.map(([status]) => status)).toEqual(some);
      for (const [status, answer] of answers) {
        expect(known.resolve(answer)['description']).toMatch(/\S/);
        if (['204', '304'].includes(status)) continue;
        expect(keysOf(known.schemaOf(answer), 'properties').length).toBeGreaterThan(0);
        if (!status.startsWith('2')) {
          expect(keysOf(known.schemaOf(answer), 'required')).toEqual(
            expect.arrayContaining(['message', 'error']),
          );
        }
      }
      const errors = answers.map(([status]) => status).filter((status) => !status.startsWith('2'));
      if (!isPublic({ method, path })) expect(errors).toEqual(expect.arrayContaining(['400', '401', '403']));
      // An upsert creates what is not there.
      if (path.includes('{') && method !== 'PUT') expect(errors).toContain('404');
    }
  });

  it('describes the body of every operation that takes one [2.4, 4.1, 4.6]', () => {
    for (const { method, path, operation } of known.operations) {
      if (method === 'GET' || method === 'DELETE') expect(operation['requestBody']).toBeUndefined();
      if (method === 'PATCH') expect(known.schemaOf(operation['requestBody'])['type']).toBe('object');
      if (['/dispatch/router', '/contacts', '/companies', '/deals', '/tickets'].includes(path)) {
        if (method === 'POST') expect(operation['requestBody'].required).toBe(true);
      }
    }
    const token = known.at('POST', '/oauth2/token')['requestBody'].content;
    expect(Object.keys(token).sort()).toEqual(['application/json', 'application/x-www-form-urlencoded']);
    for (const { schema } of Object.values<Json>(token)) {
      expect(Object.keys(known.resolve(schema)['properties']).sort()).toEqual([
        'client_id',
        'client_secret',
        'grant_type',
        'scope',
      ]);
    }
    expect(known.schemaOf(known.at('POST', '/dispatch/router')['requestBody'])['required']).toEqual([
      'router_id',
      'object_id',
    ]);
  });

  it.each([
    ['Contact', '/contacts', 'first_name last_name email contact_owner', ['company']],
    ['Company', '/companies', 'company_name description industry company_owner', []],
    ['Deal', '/deals', 'deal_name pipeline deal_stage deal_owner', ['company', 'contact']],
    ['Ticket', '/tickets', 'ticket_name pipeline ticket_owner', ['company', 'contact']],
  ])('has schemas of its own for a %s [2.1, 2.2]', async (name, path, fields, references) => {
    const defaults = ['id', ...fields.split(' '), 'external_id', 'archived', 'created_at', 'updated_at'];
    const view = known.schemaOf(known.at('POST', path)['responses']['201']);
    expect(Object.keys(view['properties']).sort()).toEqual(
      [...defaults, 'archived_by', ...references].sort(),
    );
    expect([...view['required']].sort()).toEqual([...defaults].sort());
    const list = known.schemaOf(known.at('GET', path)['responses']['200']);
    expect(known.resolve(list['properties'].data.items)).toBe(view);
    expect(document['components'].schemas[name]).toBe(view);
    const write = known.schemaOf(known.at('POST', path)['requestBody']);
    expect(write['required']).toEqual(['fields']);
    expect(Object.keys(write['properties'].fields.properties)).toEqual(
      expect.arrayContaining([...fields.split(' '), 'external_id']),
    );

    const needed = name === 'Deal' ? { deal_stage: 'new' } : name === 'Ticket' ? { ticket_stage: 'new' } : {};
    const pipeline = name === 'Deal' || name === 'Ticket' ? { pipeline: 'default' } : {};
    const { status, body } = await api.post(path, {
      fields: { [fields.split(' ')[0]!]: 'x', ...pipeline, ...needed },
    });
    expect(status).toBe(201);
    expect(Object.keys(body).sort()).toEqual([...defaults].sort());
  });

  it('bounds the paging parameters of every list [4.2, 8]', () => {
    const lists = known.operations.filter(({ parameters }) =>
      parameters.some(({ name }) => name === 'limit'),
    );
    expect(lists.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['/contacts', '/companies', '/deals', '/tickets', '/routers']),
    );
    for (const { parameters, path } of lists) {
      const schemas = new Map(parameters.map(({ name, schema }) => [name, schema]));
      expect(schemas.get('limit')).toMatchObject({ type: 'integer', minimum: 1, maximum: 100, default: 10 });
      if (path === '/audit' || path.endsWith('/history')) continue;
      expect(schemas.get('offset')).toMatchObject({ type: 'integer', minimum: 0, default: 0 });
    }
  });
});
