import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { SCOPES } from '../../src/auth/index.js';
import { ERROR_CODES, TOKEN_ERROR_CODES } from '../../src/errors/error-codes.js';
import type { ApiClient } from '../support/api-client.js';
import { expectError } from '../support/error-object.js';
import { rawRequest } from '../support/raw-request.js';
import { isPublic, routesOf, type Route } from '../support/routes.js';
import { TestService } from '../support/test-service.js';

type Json = Record<string, any>;

/** The tags of the routes that manage an account, and show what was changed. */
const MANAGED = new Set(['Audit', 'Capacities', 'Clients', 'Fields', 'Routers', 'Teams', 'Users']);

let service: TestService;
let api: ApiClient;
let document: Json;
let routes: Route[];
/** It knows the schemas of the document. */
let ajv: Ajv2020;
/** Every operation of the document, with the parameters of its path among its own. */
let operations: (Route & { operation: Json; parameters: Json[] })[];

beforeAll(async () => {
  service = await TestService.start();
  api = await service.login('acme', SCOPES);
  ({ body: document } = await service.anonymous.get('/openapi.json'));
  ajv = addFormats(new Ajv2020({ strict: false })).addSchema(document, 'document', false, false);
  routes = routesOf(service.app);
  operations = Object.entries<Json>(document['paths']).flatMap(([path, item]) =>
    Object.entries<Json>(item)
      .filter(([key]) => key !== 'parameters')
      .map(([method, operation]) => ({
        method: method.toUpperCase(),
        path,
        operation,
        parameters: [...(item['parameters'] ?? []), ...(operation['parameters'] ?? [])],
      })),
  );
});
afterAll(() => service.stop());

/** The schema itself, or the one it refers to. */
function resolve(schema: Json): Json {
  const reference = schema['$ref'] as string | undefined;
  if (reference === undefined) return schema;
  const found = reference
    .replace(/^#\//, '')
    .split('/')
    .reduce<Json | undefined>((node, key) => node?.[key], document);
  if (found === undefined) throw new Error(`${reference} leads nowhere`);
  return found;
}

/** The places of a value that are not as a schema of the document says. */
function misfits(schema: Json, value: unknown): string[] {
  const validate = ajv.getSchema(`document${schema['$ref'] as string}`)!;
  void validate(value);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message ?? ''}`);
}

/** Every object in a part of the document. */
function* objectsIn(node: unknown): Generator<Json> {
  if (typeof node !== 'object' || node === null) return;
  if (!Array.isArray(node)) yield node;
  for (const child of Object.values(node)) yield* objectsIn(child);
}

/** Every schema in the document, those inside others too. */
function* schemasIn(schema: Json): Generator<Json> {
  yield schema;
  const { properties = {}, items, additionalProperties, oneOf = [], anyOf = [], allOf = [] } = schema;
  const inner = [
    ...Object.values<Json>(properties),
    items,
    additionalProperties,
    ...oneOf,
    ...anyOf,
    ...allOf,
  ];
  for (const each of inner) if (typeof each === 'object' && each !== null) yield* schemasIn(each);
}

/** Names of the properties that a schema describes or requires, those of its parts included. */
function keysOf(schema: Json, what: 'properties' | 'required'): string[] {
  const { required = [], properties = {}, allOf = [], oneOf = [], anyOf = [] } = resolve(schema);
  const own: string[] = what === 'required' ? required : Object.keys(properties);
  return [...own, ...[...allOf, ...oneOf, ...anyOf].flatMap((part: Json) => keysOf(part, what))];
}

const operationAt = (method: string, path: string): Json =>
  operations.find((each) => each.method === method && each.path === path)!.operation;

const schemaOf = (part: Json): Json => resolve(part['content']['application/json'].schema);

describe('the OpenAPI document', () => {
  it('is served without a token as OpenAPI 3.1, version 1.0.0 [9, contract 5]', async () => {
    const response = await service.anonymous.get('/openapi.json');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^application\/json\b/);
    expect(document['openapi']).toMatch(/^3\.1\.\d+$/);
    expect(document['info']).toMatchObject({ title: 'Fairlead', version: '1.0.0' });
  });

  it('lists every route that the application has, and no other [4, contract 5]', () => {
    const listed = operations
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

  it('asks for a bearer token everywhere but for token issuance and health [4, 5.2, contract 5]', () => {
    const { securitySchemes } = document['components'];
    expect(securitySchemes.bearer).toEqual({ type: 'http', scheme: 'bearer', bearerFormat: 'JWT' });
    expect(document['security']).toBeUndefined();
    for (const each of operations) {
      const names = (each.operation['security'] ?? []).flatMap((one: Json) => Object.keys(one));
      if (isPublic(each)) expect(names).not.toContain('bearer');
      else expect(names).toEqual(names.map(() => 'bearer'));
      for (const name of names) expect(Object.keys(securitySchemes)).toContain(name);
    }
  });

  it('names the scopes of every operation that takes a token, of which one is enough [5.5, contract 2]', () => {
    for (const each of operations.filter((one) => !isPublic(one))) {
      const scopes: string[] = each.operation['security'].flatMap(({ bearer }: Json) => bearer);
      expect(scopes.length).toBe(each.operation['security'].length);
      expect(scopes.length).toBeGreaterThan(0);
      for (const scope of scopes) expect(SCOPES).toContain(scope);
      const named = scopes.map((scope) => `\`${scope}\``).join(' or ');
      expect(each.operation['description']).toMatch(new RegExp(`(^|\n\n)Scope: ${named}\\.$`));
    }
  });

  it('has an example of every body and every success of management, as its schema says [contract 6]', () => {
    const managed = operations.filter(({ operation }) => MANAGED.has(operation['tags'][0]));
    expect(managed.length).toBeGreaterThanOrEqual(38);
    for (const { method, path, operation } of managed) {
      const [[, success]] = Object.entries<Json>(operation['responses']).filter(([code]) => code < '3') as [
        [string, Json],
      ];
      const parts = [success, ...(operation['requestBody'] === undefined ? [] : [operation['requestBody']])];
      for (const part of parts) {
        const { schema, examples = {} } = part['content']['application/json'];
        const values = Object.values<Json>(examples).map((example) => resolve(example)['value']);
        expect([method, path, values.length]).toEqual([method, path, 1]);
        expect([method, path, misfits(schema, values[0])]).toEqual([method, path, []]);
      }
    }
  });

  it('has no reference that leads nowhere, and no schema, example or header that nothing refers to [contract 5]', () => {
    const used = new Set<string>();
    for (const { $ref } of objectsIn(document)) {
      if (typeof $ref !== 'string') continue;
      expect(() => resolve({ $ref })).not.toThrow();
      used.add($ref.slice('#/components/'.length));
    }
    const named = ['schemas', 'examples', 'headers'].flatMap((kind) =>
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
      expect([code, misfits({ $ref: '#/components/schemas/Error' }, value)]).toEqual([value.code, []]);
    }
  });

  it('describes every operation: a name of its own, a summary, its tag and its parameters [contract 5]', () => {
    const names = operations.map(({ operation }) => operation['operationId']);
    expect(new Set(names).size).toBe(names.length);
    for (const { path, operation, parameters } of operations) {
      expect(operation['operationId']).toMatch(/^[a-z][A-Za-z]+$/);
      expect(operation['summary']).toMatch(/\S/);
      expect(operation['tags']).toHaveLength(1);
      const inPath = parameters.filter((parameter) => parameter['in'] === 'path');
      expect(inPath.map(({ name }) => `{${name}}`)).toEqual(path.match(/\{\w+\}/g) ?? []);
      for (const parameter of inPath) expect(parameter['required']).toBe(true);
      for (const parameter of parameters) {
        expect(['path', 'query']).toContain(parameter['in']);
        expect(resolve(parameter['schema'])['type']).toEqual(expect.any(String));
      }
      expect(new Set(parameters.map(({ name }) => name)).size).toBe(parameters.length);
    }
  });

  it('describes every answer: a success, with a schema, and each error as the error object [2.9, 7]', () => {
    for (const { method, path, operation } of operations) {
      const answers = Object.entries<Json>(operation['responses']);
      const successes = answers.filter(([status]) => status.startsWith('2'));
      expect(successes.map(([status]) => status)).toEqual([expect.stringMatching(/^20[01]$/)]);
      for (const [status, answer] of answers) {
        expect(answer['description']).toMatch(/\S/);
        if (!path.startsWith('/health') || status !== '200') {
          expect(keysOf(schemaOf(answer), 'properties').length).toBeGreaterThan(0);
        }
        if (!status.startsWith('2')) {
          expect(keysOf(schemaOf(answer), 'required')).toEqual(expect.arrayContaining(['message', 'error']));
        }
      }
      const errors = answers.map(([status]) => status).filter((status) => !status.startsWith('2'));
      if (!isPublic({ method, path })) expect(errors).toEqual(expect.arrayContaining(['400', '401', '403']));
      if (path.includes('{')) expect(errors).toContain('404');
    }
  });

  it('describes the body of every operation that takes one [2.4, 4.1, 4.6]', () => {
    for (const { method, path, operation } of operations) {
      if (method === 'GET' || method === 'DELETE') expect(operation['requestBody']).toBeUndefined();
      if (method === 'PATCH') expect(schemaOf(operation['requestBody'])['type']).toBe('object');
      if (['/dispatch/router', '/contacts', '/companies', '/deals', '/tickets'].includes(path)) {
        if (method === 'POST') expect(operation['requestBody'].required).toBe(true);
      }
    }
    const token = operationAt('POST', '/oauth2/token')['requestBody'].content;
    expect(Object.keys(token).sort()).toEqual(['application/json', 'application/x-www-form-urlencoded']);
    for (const { schema } of Object.values<Json>(token)) {
      expect(Object.keys(resolve(schema)['properties']).sort()).toEqual([
        'client_id',
        'client_secret',
        'grant_type',
        'scope',
      ]);
    }
    expect(schemaOf(operationAt('POST', '/dispatch/router')['requestBody'])['required']).toEqual([
      'router_id',
      'object_id',
    ]);
  });

  it('uses the types of JSON Schema 2020-12, none of OpenAPI 3.0 [contract 5]', () => {
    const known = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']);
    const inContent = [...objectsIn(document['paths'])].map(({ schema }) => schema).filter(Boolean);
    for (const schema of [...Object.values<Json>(document['components'].schemas), ...inContent]) {
      for (const each of schemasIn(schema)) {
        for (const name of [each['type'] ?? []].flat()) expect(known).toContain(name);
        for (const key of each['required'] ?? []) expect(keysOf(each, 'properties')).toContain(key);
        expect(each['nullable'] ?? each['example']).toBeUndefined();
      }
    }
  });

  it.each([
    ['Contact', '/contacts', 'first_name last_name email contact_owner'],
    ['Company', '/companies', 'company_name description industry company_owner'],
    ['Deal', '/deals', 'deal_name pipeline deal_stage deal_owner'],
    ['Ticket', '/tickets', 'ticket_name pipeline ticket_owner'],
  ])('has schemas of its own for a %s [2.1, 2.2]', async (name, path, fields) => {
    const defaults = ['id', ...fields.split(' '), 'external_id', 'archived', 'created_at', 'updated_at'];
    const view = schemaOf(operationAt('POST', path)['responses']['201']);
    expect(Object.keys(view['properties']).sort()).toEqual([...defaults, 'archived_by'].sort());
    expect([...view['required']].sort()).toEqual([...defaults].sort());
    const list = schemaOf(operationAt('GET', path)['responses']['200']);
    expect(resolve(list['properties'].data.items)).toBe(view);
    expect(document['components'].schemas[name]).toBe(view);
    const write = schemaOf(operationAt('POST', path)['requestBody']);
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
    const lists = operations.filter(({ parameters }) => parameters.some(({ name }) => name === 'limit'));
    expect(lists.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['/contacts', '/companies', '/deals', '/tickets', '/routers']),
    );
    for (const { parameters, path } of lists) {
      const schemas = new Map(parameters.map(({ name, schema }) => [name, schema]));
      expect(schemas.get('limit')).toMatchObject({ type: 'integer', minimum: 1, maximum: 100, default: 10 });
      if (path === '/audit') continue;
      expect(schemas.get('offset')).toMatchObject({ type: 'integer', minimum: 0, default: 0 });
    }
  });
});

describe('/docs', () => {
  it('is a page that loads the document, with all it needs from this server [contract 5]', async () => {
    const { status, headers, body: html } = await service.anonymous.get('/docs');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(html).toContain('<div id="swagger-ui">');
    const assets = [...String(html).matchAll(/(?:src|href)="\.?\/?([^"]+\.(?:js|css|png))"/g)].map(
      ([, path]) => `/${path!}`,
    );
    expect(assets.length).toBeGreaterThan(2);
    for (const path of assets) expect((await service.anonymous.get(path)).status).toBe(200);
    const { body: script } = await service.anonymous.get('/docs/swagger-ui-init.js');
    expect(script).toContain('"/contacts/{contactId}"');
  });

  it.each([
    'package.json',
    'README.md',
    'swagger-ui-bundle.js.map',
    'swagger-ui-es-bundle.js',
    'docs/swagger-ui-init.js',
    '%2e%2e/package.json',
  ])('has no %s, which the page does not need [contract 5]', async (file) => {
    expectError(await rawRequest(service.anonymous, 'GET', `/docs/${file}`), 404, { message: 'Not found' });
  });

  it('is the only other form of the document [contract 5]', async () => {
    expect((await service.anonymous.get('/docs-yaml')).status).toBe(404);
    expect((await service.anonymous.get('/docs-json')).status).toBe(404);
  });
});
