import { SetMetadata, type INestApplicationContext } from '@nestjs/common';
import { ModulesContainer, Reflector } from '@nestjs/core';
import type { Schemas } from './schemas.js';

const SCHEMAS = Symbol('openApiSchemas');

/** Makes schemas for the document of an application. They may depend on what its extensions provide. */
export type MakeSchemas = (app: INestApplicationContext) => Schemas;

/** Adds schemas to the OpenAPI document of every application that imports the decorated module. */
export const ProvidesOpenApiSchemas = (...schemas: readonly MakeSchemas[]): ClassDecorator =>
  SetMetadata(SCHEMAS, schemas);

/** The schemas of every module of an application, in the order in which Nest found the modules. */
export function schemasOf(app: INestApplicationContext): Schemas {
  const reflector = app.get(Reflector);
  const modules = new Set([...app.get(ModulesContainer).values()].map(({ metatype }) => metatype));
  const found = [...modules].flatMap(
    (metatype) => reflector.get<readonly MakeSchemas[] | undefined>(SCHEMAS, metatype) ?? [],
  );
  return Object.assign({}, ...found.map((make) => make(app))) as Schemas;
}
