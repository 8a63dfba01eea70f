import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { BodyReader } from './body.reader.js';

/**
 * Reads the body of each request that has a route. It is a guard that is registered after `AccountGuard`,
 * so that nothing of a body is read, inflated or parsed before the token is verified, and nothing at all for
 * a path without a route. Throws 400, 413 and 415.
 */
@Injectable()
export class BodyGuard implements CanActivate {
  constructor(private readonly bodies: BodyReader) {}

  canActivate(context: ExecutionContext): true | Promise<true> {
    const request = context.switchToHttp().getRequest<Request>();
    return this.bodies.isDue(request) ? this.read(request) : true;
  }

  private async read(request: Request): Promise<true> {
    await this.bodies.read(request);
    return true;
  }
}
