import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiBearerAuth } from '@nestjs/swagger';
import type { Scope } from './scope.js';

export const REQUIRED_SCOPE = Symbol('requiredScope');

/** Declares the scope that a route requires. A token without it is answered 403, which names that scope. */
export const RequireScope = (scope: Scope): MethodDecorator & ClassDecorator =>
  applyDecorators(SetMetadata(REQUIRED_SCOPE, [scope]), ApiBearerAuth());

/**
 * Declares, for a method of a controller with `@RequireScope`, that either of two scopes is enough. A token
 * without both is answered 403, which names the first.
 */
export const RequireEitherScope = (scope: Scope, other: Scope): MethodDecorator =>
  SetMetadata(REQUIRED_SCOPE, [scope, other]);
