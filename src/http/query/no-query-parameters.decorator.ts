import { UseGuards, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { readQuery } from './read-query.js';

class NoQueryParametersGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    readQuery(context.switchToHttp().getRequest<Request>(), {});
    return true;
  }
}

/**
 * For routes that take no query parameters: answers 400 to a request with any. A guard, because guards of a
 * route run after those of the application, which check token and scope, and before the pipes that check the
 * body.
 */
export const NoQueryParameters = (): MethodDecorator & ClassDecorator =>
  UseGuards(new NoQueryParametersGuard());
