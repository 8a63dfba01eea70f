import type { INestApplication } from '@nestjs/common';
import { SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import {
  ERROR_ANSWERS,
  ERROR_EXAMPLES,
  ERROR_REFERENCES,
  examplesOf,
  HEADERS,
  headers,
  headersOf,
} from './answers.js';
import { schemasOf, SECURITY_SCHEMES, type SecuritySchemes } from './documentation.decorators.js';
import { COMMON_SCHEMAS, reference, type Schema, type Schemas } from './schemas.js';

/** One method of one path of the OpenAPI document. */
type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
type Answer = Exclude<Operation['responses'][string], undefined | { $ref: string }>;
type Examples = NonNullable<NonNullable<OpenAPIObject['components']>['examples']>;

/** The heading of the OpenAPI document. */
export interface ApplicationDescription {
  readonly title: string;
  readonly description: string;
  readonly version: string;
}

const FAIRLEAD: ApplicationDescription = {
  title: 'Fairlead',
  description: `CRM records and fair, explainable assignment.

**First steps.** Authorize with the id and the secret of a client and the scopes that you need, create a contact,
list the routers, dispatch the contact with one of them, and read the assignment: it says why.

**Errors** have one form: \`message\` for people, \`code\` for programs, \`errors\` with everything in the request that
fails, and \`request_id\`, which is also in the header \`X-Request-Id\` of every answer and in the log of the service. A
path that is not here answers 404, a method that a path does not have 405; \`HEAD\` answers as \`GET\`, without a body.

**Lists** come in pages: \`limit\`, and \`offset\` or \`after\` with the \`next\` of the page before. \`DELETE\` archives.`,
  version: '1.0.0',
};

/** The groups of routes, in the order in which one meets them. */
const TAGS: readonly (readonly [name: string, description: string])[] = [
  ['Contacts', 'People. A contact has a name or an e-mail, and the e-mail is unique among the active ones.'],
  ['Companies', 'Organisations. The host of `website_url` is unique among the active ones.'],
  ['Deals', 'Business that may be won.'],
  ['Tickets', 'Requests of customers.'],
  ['Dispatch', 'Give a record to the user whose turn it is, or ask what would be decided, and why.'],
  ['Assignments', 'The log of every run of a router, each with the explanation of what it decided.'],
  [
    'Routers',
    'The rules by which records are assigned. A change is a draft until it is published, and what was ' +
      'published before can be made live again.',
  ],
  ['Users', 'The people that records are assigned to: when they work, and how much they take.'],
  ['Teams', 'Users in the order of their turns.'],
  ['Fields', 'What records hold: the standard fields, and those that an account adds.'],
  ['Capacities', 'How many active records of a kind a user may own.'],
  ['Clients', 'The programs that may use the API, with their secrets and scopes.'],
  ['Members', 'The people who may enter the console, with their roles.'],
  ['Console', 'How people enter the console, and leave it. Programs use access tokens.'],
  ['Audit', 'Who has changed what in the configuration.'],
  [
    'Authentication',
    'Access tokens for clients (RFC 6749, client credentials), and the keys that verify them.',
  ],
  ['Health', 'For load balancers and orchestrators.'],
];

/** Whoever reads the document has it from the service that it is about. */
const SERVERS = [
  {
    url: '/',
    description: 'The service that has this document, be it local, staging or production',
    'x-internal': false,
  },
];

/** `identifier` is of OpenAPI 3.1. */
const LICENSE: NonNullable<OpenAPIObject['info']['license']> & { readonly identifier: string } = {
  name: 'Apache 2.0',
  identifier: 'Apache-2.0',
};

/**
 * Builds the OpenAPI 3.1 document of every route of an application, also of those of a host. Its schemas are
 * the common ones, those of modules with `@ProvidesOpenApiSchemas`, and those of DTO classes.
 */
export function describeApp(app: INestApplication, about = FAIRLEAD): OpenAPIObject {
  // Linters ask for a contact: that of the service is whoever runs it.
  const info = { ...about, contact: {}, ...(about === FAIRLEAD ? { license: LICENSE } : {}) };
  const document = SwaggerModule.createDocument(app, { openapi: '3.1.0', info, servers: SERVERS });
  const all = { ...COMMON_SCHEMAS, ...schemasOf(app), ...document.components?.schemas };
  const { schemas, examples, named } = dividedSchemas(all);
  const securityOf = app.get<(prefix: string) => SecuritySchemes>(SECURITY_SCHEMES, { strict: false });
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path) as Operation[]);
  for (const operation of operations) completeOperation(operation, named);
  return {
    ...document,
    tags: tagsOf(operations),
    components: {
      ...document.components,
      securitySchemes: securityOf(prefixOf(document)),
      examples: { ...ERROR_EXAMPLES, ...examples },
      headers: HEADERS,
      responses: ERROR_ANSWERS,
      schemas,
    },
  };
}

/**
 * Gives an operation what its route does not say: the scopes that its token needs, the error answers that
 * every route has, the headers of its answers, and the examples of the schemas of its answers.
 */
function completeOperation(operation: Operation, named: ReadonlyMap<string, readonly string[]>): void {
  operation.security ??= [];
  const scopes = operation.security.flatMap(({ oauth2 = [] }) => oauth2);
  if (scopes.length > 0) {
    const needed = `Scope: ${scopes.map((scope) => `\`${scope}\``).join(' or ')}.`;
    operation.description = [operation.description, needed].filter(Boolean).join('\n\n');
  }
  const takesToken = operation.security.some((each) => 'bearer' in each || 'oauth2' in each);
  const isRepeatable = operation.parameters?.some(
    (each) => 'name' in each && each.name === 'Idempotency-Key',
  );
  const { responses } = operation;
  // An answer of which a route says nothing but the status is the one that all have in common.
  responses[405] ??= { description: '' };
  if (takesToken) responses[429] ??= { description: '' };
  for (const [status, answer] of Object.entries(responses)) {
    if (answer === undefined || '$ref' in answer) continue;
    const shared = ERROR_REFERENCES[status];
    if (shared !== undefined && answer.description === '' && answer.content === undefined) {
      responses[status] = shared;
      continue;
    }
    const isSuccess = status < '3';
    const replayed = isRepeatable && isSuccess ? headers('Idempotency-Replayed') : {};
    answer.headers = { ...headersOf(status, takesToken), ...replayed, ...answer.headers };
    if (isSuccess) addExamples(answer, named);
  }
}

/** Refers to the examples of the schema of an answer, unless the answer has its own. */
function addExamples({ content }: Answer, named: ReadonlyMap<string, readonly string[]>): void {
  const json = content?.['application/json'];
  const names = json?.schema !== undefined && '$ref' in json.schema ? named.get(json.schema.$ref) : undefined;
  if (json !== undefined && names !== undefined) json.examples ??= examplesOf(names);
}

/** Schemas without their examples, and the examples. */
interface DividedSchemas {
  readonly schemas: Schemas;
  readonly examples: Examples;
  /** The names of the examples of a schema, by the reference to it. */
  readonly named: ReadonlyMap<string, readonly string[]>;
}

/**
 * Takes the examples out of schemas, so that each stands once in the document: under the name of its schema,
 * and a number if the schema has several.
 */
function dividedSchemas(all: Schemas): DividedSchemas {
  const schemas: Schemas = {};
  const examples: Examples = {};
  const named = new Map<string, readonly string[]>();
  for (const [name, schema] of Object.entries(all)) {
    const { examples: values, ...rest } = schema as Schema;
    schemas[name] = rest;
    if (!Array.isArray(values)) continue;
    const names = values.map((_, index) => (index === 0 ? name : `${name}${index + 1}`));
    for (const [index, key] of names.entries()) {
      const value: unknown = values[index];
      examples[key] = { ...summaryOf(value), value };
    }
    named.set(reference(name).$ref, names);
  }
  return { schemas, examples, named };
}

/** What tells one answer from another. */
function summaryOf(value: unknown): { readonly summary?: string } {
  const { message, reason } = value as { message?: string; reason?: string };
  return message === undefined || reason === undefined ? {} : { summary: `${message} (${reason})` };
}

/** The prefix that a host has given to all routes: what stands before the path of the dispatch. */
function prefixOf({ paths }: OpenAPIObject): string {
  const path = Object.keys(paths).find((each) => each.endsWith('/dispatch/router'));
  return path?.slice(0, -'/dispatch/router'.length) ?? '';
}

/** The tags that operations have, described, in the order of use; those of a host come last. */
function tagsOf(operations: readonly Operation[]): NonNullable<OpenAPIObject['tags']> {
  const used = new Set(operations.flatMap(({ tags = [] }) => tags));
  const known = TAGS.filter(([name]) => used.has(name));
  const others = [...used].filter((name) => !known.some(([each]) => each === name));
  return [
    ...known.map(([name, description]) => ({ name, description })),
    ...others.map((name) => ({ name })),
  ];
}
