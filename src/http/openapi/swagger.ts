import { createRequire } from 'node:module';
import type * as Swagger from '@nestjs/swagger';

type Decorators = Pick<
  typeof Swagger,
  | 'ApiBasicAuth'
  | 'ApiConsumes'
  | 'ApiBody'
  | 'ApiHeader'
  | 'ApiOperation'
  | 'ApiParam'
  | 'ApiQuery'
  | 'ApiResponse'
  | 'ApiSecurity'
  | 'ApiTags'
>;

/** What was decorated before the package is there, in that order. */
const decorated: ((swagger: typeof Swagger) => void)[] = [];

/**
 * Returns the decorator of @nestjs/swagger with that name, which takes effect when `loadSwagger` is called.
 * The package has 550 files and takes 12 MiB and a fifth of a second of CPU time, and only the document and
 * its page need it.
 */
function deferred<Name extends keyof Decorators>(name: Name): Decorators[Name] {
  const decorator =
    (...options: unknown[]) =>
    (...target: unknown[]): void => {
      decorated.push((swagger) => {
        const decoratorOf = swagger[name] as (...all: unknown[]) => (...decorated: unknown[]) => void;
        decoratorOf(...options)(...target);
      });
    };
  return decorator;
}

export const ApiBasicAuth = deferred('ApiBasicAuth');
export const ApiBody = deferred('ApiBody');
export const ApiConsumes = deferred('ApiConsumes');
export const ApiHeader = deferred('ApiHeader');
export const ApiOperation = deferred('ApiOperation');
export const ApiParam = deferred('ApiParam');
export const ApiQuery = deferred('ApiQuery');
export const ApiResponse = deferred('ApiResponse');
export const ApiSecurity = deferred('ApiSecurity');
export const ApiTags = deferred('ApiTags');

/** Returns @nestjs/swagger, to which everything is known that the decorators above were put on. */
export function loadSwagger(): typeof Swagger {
  const swagger = createRequire(__filename)('@nestjs/swagger') as typeof Swagger;
  for (const decorate of decorated.splice(0)) decorate(swagger);
  return swagger;
}
