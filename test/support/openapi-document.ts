import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { FORMATS } from '../units/formats.js';
import type { Route } from './routes.js';
import type { TestService } from './test-service.js';

type Json = Record<string, any>;

/** One operation, with the parameters of its path among its own. */
export interface DocumentedOperation extends Route {
  readonly operation: Json;
  readonly parameters: readonly Json[];
}

/** The OpenAPI document of a service, for tests of what it says. */
export class OpenApiDocument {
  readonly operations: readonly DocumentedOperation[];
  /** It knows the schemas of the document. */
  private readonly ajv: Ajv2020;

  private constructor(readonly json: Json) {
    this.ajv = addFormats(new Ajv2020({ strict: false, formats: FORMATS })).addSchema(
      json,
      'document',
      false,
      false,
    );
    this.operations = Object.entries<Json>(json['paths']).flatMap(([path, item]) =>
      Object.entries<Json>(item)
        .filter(([key]) => key !== 'parameters')
        .map(([method, operation]) => ({
          method: method.toUpperCase(),
          path,
          operation,
          parameters: [...(item['parameters'] ?? []), ...(operation['parameters'] ?? [])],
        })),
    );
  }

  static async of(service: TestService): Promise<OpenApiDocument> {
    return new OpenApiDocument((await service.anonymous.get('/openapi.json')).body);
  }

  /** The object itself, or the one that it refers to. @throws Error if that is not there */
  resolve(part: Json): Json {
    const reference = part['$ref'] as string | undefined;
    if (reference === undefined) return part;
    const found = reference
      .replace(/^#\//, '')
      .split('/')
      .reduce<Json | undefined>((node, key) => node?.[key], this.json);
    if (found === undefined) throw new Error(`${reference} leads nowhere`);
    return found;
  }

  at(method: string, path: string): Json {
    return this.operations.find((each) => each.method === method && each.path === path)!.operation;
  }

  /** The schema of the JSON of a body or of an answer. */
  schemaOf(part: Json): Json {
    return this.resolve(this.resolve(part)['content']['application/json'].schema);
  }

  /** The places of a value that are not as a schema says. @param schema refers to one of the document */
  misfits(schema: Json, value: unknown): string[] {
    const validate = this.ajv.getSchema(`document${schema['$ref'] as string}`)!;
    void validate(value);
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message ?? ''}`);
  }

  /** Every schema, those inside others too. */
  *schemas(): Generator<Json> {
    const { components, paths } = this.json;
    const named = Object.values<Json>(components.schemas);
    const inPlace = [...objectsIn([paths, components.headers])].map(({ schema }) => schema).filter(Boolean);
    for (const schema of [...named, ...inPlace]) yield* schemasIn(schema);
  }
}

/** Every object in a part of a document. */
export function* objectsIn(node: unknown): Generator<Json> {
  if (typeof node !== 'object' || node === null) return;
  if (!Array.isArray(node)) yield node;
  for (const child of Object.values(node)) yield* objectsIn(child);
}

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
