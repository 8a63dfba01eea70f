import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { COMMON_SCHEMAS } from './common.schemas.js';
import { completeOperations, dividedSchemas, operationsOf } from './complete-operations.js';
import { ERROR_ANSWERS } from './error-answers.js';
import { ERROR_EXAMPLES } from './error-examples.js';
import { HEADERS } from './headers.js';
import { schemasOf, securitySchemesOf } from './openapi-schemas.decorator.js';

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
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle(about.title)
    .setDescription(about.description)
    .setVersion(about.version)
    .build();
  const document = SwaggerModule.createDocument(app, config);
  const divided = dividedSchemas({
    ...COMMON_SCHEMAS,
    ...schemasOf(app),
    ...document.components?.schemas,
  });
  completeOperations(document, divided);
  return {
    ...document,
    tags: tagsOf(document),
    info: { ...document.info, ...(about === FAIRLEAD ? { license: LICENSE } : {}) },
    servers: SERVERS,
    components: {
      ...document.components,
      securitySchemes: securitySchemesOf(app, prefixOf(document)),
      examples: { ...ERROR_EXAMPLES, ...divided.examples },
      headers: HEADERS,
      responses: ERROR_ANSWERS,
      schemas: divided.schemas,
    },
  };
}

/** The prefix that a host has given to all routes: what stands before the path of the dispatch. */
function prefixOf({ paths }: OpenAPIObject): string {
  const path = Object.keys(paths).find((each) => each.endsWith('/dispatch/router'));
  return path?.slice(0, -'/dispatch/router'.length) ?? '';
}

/** The tags that operations have, described, in the order of use; those of a host come last. */
function tagsOf(document: OpenAPIObject): { readonly name: string; readonly description?: string }[] {
  const used = new Set(operationsOf(document).flatMap(({ tags = [] }) => tags));
  const known = TAGS.filter(([name]) => used.has(name));
  const others = [...used].filter((name) => !known.some(([each]) => each === name));
  return [
    ...known.map(([name, description]) => ({ name, description })),
    ...others.map((name) => ({ name })),
  ];
}
