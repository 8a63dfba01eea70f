import { SetMetadata, type INestApplicationContext } from '@nestjs/common';
import { ModulesContainer, Reflector } from '@nestjs/core';
import type { OpenAPIObject } from '@nestjs/swagger';

/** Schemas of the OpenAPI document by name. */
export type OpenApiSchemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;

const SCHEMAS = Symbol('openApiSchemas');

/** Adds schemas to the OpenAPI document of every application that imports the decorated module. */
export const ProvidesOpenApiSchemas = (...schemas: readonly (() => OpenApiSchemas)[]): ClassDecorator =>
  SetMetadata(SCHEMAS, schemas);

/** The schemas of every module of an application, in the order in which Nest found the modules. */
export function schemasOf(app: INestApplicationContext): OpenApiSchemas {
  const reflector = app.get(Reflector);
  const modules = new Set([...app.get(ModulesContainer).values()].map(({ metatype }) => metatype));
  const found = [...modules].flatMap(
    (metatype) => reflector.get<readonly (() => OpenApiSchemas)[] | undefined>(SCHEMAS, metatype) ?? [],
  );
  return Object.assign({}, ...found.map((schemas) => schemas())) as OpenApiSchemas;
}
