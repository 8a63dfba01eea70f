import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { COMMON_SCHEMAS } from './common.schemas.js';
import type { Schemas } from './schemas.js';

/**
 * The OpenAPI 3.1 description of every route.
 * @param schemas those of features, beside the common ones
 */
export function openApiDocument(app: INestApplication, schemas: Schemas): OpenAPIObject {
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Fairlead')
    .setDescription('CRM records and fair, explainable assignment')
    .setVersion('1.0.0')
    .addBearerAuth()
    .addBasicAuth()
    .build();
  const document = SwaggerModule.createDocument(app, config);
  return {
    ...document,
    components: {
      ...document.components,
      schemas: { ...COMMON_SCHEMAS, ...schemas, ...document.components?.schemas },
    },
  };
}
