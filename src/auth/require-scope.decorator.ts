import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiSecurity } from '../http/index.js';
import type { Scope } from './scope.js';

export const REQUIRED_SCOPE = Symbol('requiredScope');

/**
 * Declares the scope that a route requires. A token without it is answered 403, which names that scope.
 * The OpenAPI document names the scopes too.
 * @param others scopes of which each is enough instead
 */
export const RequireScope = (scope: Scope, ...others: Scope[]): MethodDecorator & ClassDecorator =>
  applyDecorators(
    SetMetadata(REQUIRED_SCOPE, [scope, ...others]),
    ...[scope, ...others].map((each) => ApiSecurity('oauth2', [each])),
    // A token that the client has already does as well as one that the page gets.
    ApiSecurity('bearer'),
  );
