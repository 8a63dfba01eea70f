import { SetMetadata, type INestApplicationContext } from '@nestjs/common';
import { ModulesContainer, Reflector } from '@nestjs/core';
import type { OpenAPIObject } from '@nestjs/swagger';

/** Schemas of the OpenAPI document by name. */
export type OpenApiSchemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;

const SCHEMAS = Symbol('openApiSchemas');

/** Module decorator: adds schemas to the OpenAPI document of each application that imports the module. */
export const ProvidesOpenApiSchemas = (...schemas: readonly (() => OpenApiSchemas)[]): ClassDecorator =>
  SetMetadata(SCHEMAS, schemas);

/** Collects the schemas of all modules of an application, in the order in which Nest scanned the modules. */
export function schemasOf(app: INestApplicationContext): OpenApiSchemas {
  const reflector = app.get(Reflector);
  const modules = new Set([...app.get(ModulesContainer).values()].map(({ metatype }) => metatype));
  const found = [...modules].flatMap(
    (metatype) => reflector.get<readonly (() => OpenApiSchemas)[] | undefined>(SCHEMAS, metatype) ?? [],
  );
  return Object.assign({}, ...found.map((schemas) => schemas())) as OpenApiSchemas;
}
