import type { INestApplication } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import { withAnswerExamples } from './answer-examples.js';
import { COMMON_SCHEMAS } from './common.schemas.js';
import { ERROR_ANSWERS, withErrorAnswers } from './error-answers.js';
import { ERROR_EXAMPLES } from './error-examples.js';
import { HEADERS, withHeaders } from './headers.js';
import { withNeededScopes } from './needed-scopes.js';
import { schemasOf, securitySchemesOf } from './openapi-schemas.decorator.js';
import { loadSwagger } from './swagger.js';
import { withTags } from './tags.js';

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
  const { DocumentBuilder, SwaggerModule } = loadSwagger();
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle(about.title)
    .setDescription(about.description)
    .setVersion(about.version)
    .build();
  const document = SwaggerModule.createDocument(app, config);
  const described = withTags(withHeaders(withErrorAnswers(withNeededScopes(document))));
  return withAnswerExamples({
    ...described,
    info: { ...described.info, ...(about === FAIRLEAD ? { license: LICENSE } : {}) },
    servers: SERVERS,
    components: {
      ...described.components,
      securitySchemes: securitySchemesOf(app, prefixOf(document)),
      examples: ERROR_EXAMPLES,
      headers: HEADERS,
      responses: ERROR_ANSWERS,
      schemas: { ...COMMON_SCHEMAS, ...schemasOf(app), ...described.components?.schemas },
    },
  });
}

/** The prefix that a host has given to all routes: what stands before the path of the dispatch. */
function prefixOf({ paths }: OpenAPIObject): string {
  const path = Object.keys(paths).find((each) => each.endsWith('/dispatch/router'));
  return path?.slice(0, -'/dispatch/router'.length) ?? '';
}
