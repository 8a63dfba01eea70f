import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { FORMATS } from '../units/formats.js';
import type { ApiResponse } from './api-client.js';

interface MediaType {
  readonly schema: { readonly $ref?: string };
}

interface Response {
  /** Leads to one of the answers that operations share. */
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, MediaType>>;
}

interface Operation {
  readonly responses: Readonly<Record<string, Response>>;
}

interface OpenApiDocument {
  readonly components: { readonly responses: Readonly<Record<string, Response>> };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** Pages that describe the service. The document does not describe them. */
const DOCUMENTATION = /^\/(docs|openapi\.json)/;

/** Methods that Express answers for every route. Their answers have no JSON. */
const UNDESCRIBED_METHODS = new Set(['HEAD', 'OPTIONS']);

/** What answers a request of no operation: unreadable (400, 413, 415), or no such path or method. */
const WITHOUT_OPERATION = new Set([400, 404, 405, 413, 415]);

const JSON_TYPE = 'application/json';

const pointer = (...keys: readonly (string | number)[]): string =>
  [
    '#',
    ...keys.map((key) => encodeURIComponent(String(key).replaceAll('~', '~0').replaceAll('/', '~1'))),
  ].join('/');

/** The OpenAPI document of the service. It checks the answers of the service. */
export class ApiContract {
  private static known: ApiContract | undefined;

  private readonly ajv = addFormats(
    new Ajv2020({
      allErrors: true,
      strictTypes: true,
      allowUnionTypes: true,
      formats: FORMATS,
    }),
  );
  private readonly paths: readonly { readonly pattern: RegExp; readonly path: string }[];

  private constructor(private readonly document: OpenApiDocument) {
    // References start at the root of the document, whose keys are not keywords of a schema, as little as
    // `discriminator`, which adds nothing to `oneOf`.
    const others = [...Object.keys(document), 'discriminator'];
    this.ajv.addVocabulary(others).addSchema(document, 'document', false, false);
    this.paths = Object.keys(document.paths).map((path) => ({
      path,
      // Matches like Express: any case, with or without a slash at the end.
      pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}/?$`, 'i'),
    }));
  }

  /** The checked-in document, which `npm run openapi:check` holds to be that of the service. */
  static get current(): ApiContract {
    ApiContract.known ??= new ApiContract(
      JSON.parse(readFileSync(join(__dirname, '../../docs/openapi.json'), 'utf8')) as OpenApiDocument,
    );
    return ApiContract.known;
  }

  /** @throws Error that says how an answer differs from the document */
  check(method: string, target: string, answer: ApiResponse): void {
    const path = target.replace(/[?#].*$/s, '');
    if (DOCUMENTATION.test(path) || UNDESCRIBED_METHODS.has(method)) return;
    const problem = this.problem(method, path, answer);
    if (problem === undefined) return;
    const shown = (JSON.stringify(answer.body) as string | undefined)?.slice(0, 2_000);
    const what = `${method} ${target.slice(0, 200)} answered ${answer.status}, not as the OpenAPI document says`;
    throw new Error(`${what}:\n${problem}\n${String(shown)}`);
  }

  private problem(method: string, path: string, answer: ApiResponse): string | undefined {
    const { status } = answer;
    const template = this.paths.find(({ pattern }) => pattern.test(path))?.path;
    const verb = method.toLowerCase();
    const operation = template === undefined ? undefined : this.document.paths[template]?.[verb];
    if (template === undefined || operation === undefined) {
      if (!WITHOUT_OPERATION.has(status)) return 'no such operation is documented';
      return this.mismatch('#/components/schemas/Error', answer);
    }
    const response = operation.responses[status];
    if (response === undefined) return `only ${Object.keys(operation.responses).join(', ')} are documented`;
    const name = response.$ref?.replace('#/components/responses/', '');
    const shared = name === undefined ? response : this.document.components.responses[name];
    const schema = shared?.content?.[JSON_TYPE]?.schema;
    if (schema === undefined && answer.body === undefined) return undefined;
    if (schema === undefined) return 'no JSON is documented';
    // Uses the name of the schema where it has one, so that it is compiled once for all answers that use it.
    const place = pointer('paths', template, verb, 'responses', status, 'content', JSON_TYPE, 'schema');
    return this.mismatch(schema.$ref ?? place, answer);
  }

  private mismatch(schema: string, { headers, body }: ApiResponse): string | undefined {
    const type = headers.get('content-type');
    if (type?.startsWith(JSON_TYPE) !== true) return `the media type is ${String(type)}`;
    const validate = this.ajv.getSchema(`document${schema}`);
    if (validate === undefined) return `there is no schema at ${schema}`;
    if (validate(body) === true) return undefined;
    return validate.errors?.map(described).join('\n');
  }
}

/** Such as `/data/0/user must be string {"type":"string"}`. */
const described = ({ instancePath, message, params }: ErrorObject): string =>
  `${instancePath || '/'} ${message ?? ''} ${JSON.stringify(params)}`;
