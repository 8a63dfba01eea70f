import { SetMetadata, type CustomDecorator, type ExecutionContext } from '@nestjs/common';
import type { Reflector } from '@nestjs/core';

const PUBLIC = Symbol('public');

/** Marks a route that needs no token. */
export const Public = (): CustomDecorator<symbol> => SetMetadata(PUBLIC, true);

/** Whether the route of a request needs no token. */
export function isPublic(reflector: Reflector, context: ExecutionContext): boolean {
  const targets = [context.getHandler(), context.getClass()];
  return reflector.getAllAndOverride<boolean | undefined>(PUBLIC, targets) === true;
}
