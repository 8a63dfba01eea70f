import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { withAnswerExamples } from './answer-examples.js';
import { COMMON_SCHEMAS } from './common.schemas.js';
import { ERROR_EXAMPLES } from './error-examples.js';
import { withNeededScopes } from './needed-scopes.js';
import { RATE_LIMIT_HEADERS, withRateLimits } from './rate-limits.js';
import { schemasOf } from './openapi-schemas.decorator.js';

/** The heading of the OpenAPI document. */
export interface ApplicationDescription {
  readonly title: string;
  readonly description: string;
  readonly version: string;
}

const FAIRLEAD: ApplicationDescription = {
  title: 'Fairlead',
  description: 'CRM records and fair, explainable assignment',
  version: '1.0.0',
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
    .addBearerAuth()
    .addBasicAuth()
    .build();
  const document = withNeededScopes(withRateLimits(SwaggerModule.createDocument(app, config)));
  return withAnswerExamples({
    ...document,
    components: {
      ...document.components,
      examples: ERROR_EXAMPLES,
      headers: RATE_LIMIT_HEADERS,
      schemas: { ...COMMON_SCHEMAS, ...schemasOf(app), ...document.components?.schemas },
    },
  });
}
