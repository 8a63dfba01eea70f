import { SetMetadata, type INestApplicationContext } from '@nestjs/common';
import { ModulesContainer, Reflector } from '@nestjs/core';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { Schemas } from './schemas.js';

const SCHEMAS = Symbol('openApiSchemas');
const SECURITY_SCHEMES = Symbol('openApiSecuritySchemes');

/** Makes schemas for the document of an application. They may depend on what its extensions provide. */
export type MakeSchemas = (app: INestApplicationContext) => Schemas;

/** Ways to authenticate, by name. */
export type SecuritySchemes = NonNullable<NonNullable<OpenAPIObject['components']>['securitySchemes']>;

/** Adds schemas to the OpenAPI document of every application that imports the decorated module. */
export const ProvidesOpenApiSchemas = (...schemas: readonly MakeSchemas[]): ClassDecorator =>
  SetMetadata(SCHEMAS, schemas);

/**
 * Adds ways to authenticate to the OpenAPI document of every application that imports the decorated module.
 * @param make gets the prefix under which the application has its routes, such as `/api` or nothing
 */
export const ProvidesSecuritySchemes = (make: (prefix: string) => SecuritySchemes): ClassDecorator =>
  SetMetadata(SECURITY_SCHEMES, [make]);

/** The schemas of every module of an application, in the order in which Nest found the modules. */
export function schemasOf(app: INestApplicationContext): Schemas {
  const made = providedIn<MakeSchemas>(app, SCHEMAS).map((make) => make(app));
  return Object.assign({}, ...made) as Schemas;
}

/** The ways to authenticate of every module of an application. */
export function securitySchemesOf(app: INestApplicationContext, prefix: string): SecuritySchemes {
  const made = providedIn<(prefix: string) => SecuritySchemes>(app, SECURITY_SCHEMES);
  return Object.assign({}, ...made.map((make) => make(prefix))) as SecuritySchemes;
}

function providedIn<T>(app: INestApplicationContext, key: symbol): T[] {
  const reflector = app.get(Reflector);
  const modules = new Set([...app.get(ModulesContainer).values()].map(({ metatype }) => metatype));
  return [...modules].flatMap((metatype) => reflector.get<readonly T[] | undefined>(key, metatype) ?? []);
}
