import { isPublic } from '../support/routes.js';
import { OpenApiDocument } from '../support/openapi-document.js';
import { TestService } from '../support/test-service.js';

type Json = Record<string, any>;

let service: TestService;
let known: OpenApiDocument;

beforeAll(async () => {
  service = await TestService.shared();
  known = await OpenApiDocument.of(service);
});
afterAll(() => service.stop());

/** The values of examples, and the schema that they follow where it has a name. */
function examplesOf({ schema, examples = {} }: Json): { values: unknown[]; schema: Json | undefined } {
  const values = Object.values<Json>(examples).map((example) => known.resolve(example)['value']);
  return { values, schema: schema['$ref'] === undefined ? undefined : schema };
}

/** Each example of some bodies, with what is wrong with it; a text for a body without an example. */
function problemsOf(contents: readonly Json[]): unknown[] {
  return contents.flatMap(examplesOf).flatMap(({ values, schema }) => {
    if (values.length === 0) return ['has no example'];
    return schema === undefined ? [] : values.flatMap((value) => known.misfits(schema, value));
  });
}

/** Statuses of answers without a body. */
const BODILESS = /^(204|30\d)$/;

describe('the OpenAPI document', () => {
  it('has examples of every body and every answer, refusals too, as their schemas say [2.9, contract 1]', () => {
    let answers = 0;
    for (const { method, path, operation } of known.operations) {
      const { requestBody } = operation;
      const parts = Object.entries<Json>(operation['responses']).filter(([status]) => !BODILESS.test(status));
      if (requestBody !== undefined) parts.push(['body', requestBody]);
      for (const [name, part] of parts) {
        const contents = Object.values<Json>(known.resolve(part)['content']);
        expect([method, path, name, problemsOf(contents)]).toEqual([method, path, name, []]);
        answers += 1;
      }
    }
    expect(answers).toBeGreaterThan(500);
  });

  it('names the headers of every answer [contract 1]', () => {
    for (const each of known.operations) {
      for (const [status, answer] of Object.entries<Json>(each.operation['responses'])) {
        const headers: string[] = Object.keys(known.resolve(answer)['headers']);
        expect(headers).toContain('X-Request-Id');
        expect(headers.includes('Location')).toBe(status === '201');
        expect(headers.includes('Allow')).toBe(status === '405');
        expect(headers.includes('Retry-After')).toBe(['429', '503'].includes(status));
        expect(headers.includes('WWW-Authenticate')).toBe(['401', '403'].includes(status));
      }
      const statuses = Object.keys(each.operation['responses']);
      if (!isPublic(each)) expect(statuses).toEqual(expect.arrayContaining(['405', '429', '500', '503']));
    }
  });

  it('describes the errors of the token endpoint in its own form, all but those of the service [contract 2]', () => {
    const answers = Object.entries<Json>(known.at('POST', '/oauth2/token')['responses']);
    const forms = answers.map(([status, answer]) => {
      const { schema } = known.resolve(answer)['content']['application/json'];
      return [status, schema['$ref'].replace('#/components/schemas/', '')];
    });
    const refused = ['400', '401', '405', '413', '415', '429'].map((status) => [status, 'TokenError']);
    expect(forms).toEqual([['200', 'Token'], ...refused, ['500', 'Error'], ['503', 'Error']]);
  });

  it('describes its tags, in the order of use [contract 5]', () => {
    const names = known.json['tags'].map(({ name }: Json) => name);
    expect(new Set(known.operations.map(({ operation }) => operation['tags'][0]))).toEqual(new Set(names));
    expect(names.slice(0, 7).join(' ')).toBe('Contacts Companies Deals Tickets Dispatch Assignments Routers');
    for (const { description } of known.json['tags']) expect(description).toMatch(/\S/);
  });

  it('tells the steps of a trace apart by their word, and lists the reasons [contract 4, contract 6]', () => {
    const { schemas } = known.json['components'];
    const { oneOf, discriminator } = schemas.TraceStep;
    expect(discriminator.propertyName).toBe('step');
    const mapping = Object.entries<string>(discriminator.mapping);
    expect(mapping.map(([, $ref]) => ({ $ref }))).toEqual(oneOf);
    for (const [step, $ref] of mapping) {
      expect(known.resolve({ $ref })['properties'].step.enum).toEqual([step]);
    }
    const reasons = schemas.DispatchResult.oneOf.flatMap(({ properties }: Json) => properties.reason.enum);
    expect(schemas.Reason.enum).toEqual(reasons);
    expect(reasons).toEqual(expect.arrayContaining(['round_robin', 'account_matched', 'owner_present']));
  });

  it('uses the types of JSON Schema 2020-12, none of OpenAPI 3.0 [contract 5]', () => {
    const types = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']);
    for (const schema of known.schemas()) {
      for (const name of [schema['type'] ?? []].flat()) expect(types).toContain(name);
      const { properties = {} } = schema;
      for (const key of schema['required'] ?? []) expect(Object.keys(properties)).toContain(key);
      expect(schema['nullable'] ?? schema['example']).toBeUndefined();
    }
  });

  it('bounds every text, list and integer [contract 5]', () => {
    const unbounded = [...known.schemas()].filter((schema) => {
      const types: string[] = [schema['type'] ?? []].flat();
      const lacks = (...keys: string[]): boolean => keys.some((key) => schema[key] === undefined);
      if (schema['enum'] !== undefined) return false;
      return (
        (types.includes('string') && (lacks('maxLength') || (lacks('pattern') && lacks('format')))) ||
        (types.includes('array') && lacks('maxItems')) ||
        (types.includes('integer') && lacks('format', 'minimum', 'maximum'))
      );
    });
    expect(unbounded).toEqual([]);
  });
});
