import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiBearerAuth } from '@nestjs/swagger';
import type { Scope } from './scope.js';

export const REQUIRED_SCOPE = Symbol('requiredScope');

/** Names the scope a route needs; a token without it gets 403. */
export const RequireScope = (scope: Scope): MethodDecorator & ClassDecorator =>
  applyDecorators(SetMetadata(REQUIRED_SCOPE, scope), ApiBearerAuth());
