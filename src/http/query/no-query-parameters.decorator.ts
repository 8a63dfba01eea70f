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
 * Declares that a route takes no query parameters: throws 400 listing every one that is sent. It is a guard,
 * because guards of a route run after AccountGuard, which checks token and scope, and before the pipes that
 * check the body.
 */
export const NoQueryParameters = (): MethodDecorator & ClassDecorator =>
  UseGuards(new NoQueryParametersGuard());
