import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { deadlineOf } from '../request-deadline.js';
import { requestOf, responseOf } from '../request-of.js';
import { BodyReader } from './body.reader.js';

/**
 * Receives the body of each request that has a route. It is a guard that is registered after `AccountGuard`,
 * so that nothing of a body is read before the token is verified, and nothing at all for a path without a
 * route. Throws 413, 415 and 503.
 */
@Injectable()
export class BodyGuard implements CanActivate {
  constructor(private readonly bodies: BodyReader) {}

  canActivate(context: ExecutionContext): true | Promise<true> {
    const request = requestOf<Request & { user?: { accountId?: string } }>(context);
    if (!this.bodies.isDue(request)) return true;
    const since = performance.now();
    return this.bodies.receive(request, responseOf(context), request.user?.accountId).then(() => {
      // A client that sends slowly does not take the time from the work.
      deadlineOf(request)?.extend(performance.now() - since);
      return true;
    });
  }
}

/**
 * Inflates and parses the body that `BodyGuard` has received. It is registered after `ShareGuard`: a request
 * that waits for its share holds the bytes that were sent, and not what they become. Throws 400 and 413.
 */
@Injectable()
export class ParseGuard implements CanActivate {
  constructor(private readonly bodies: BodyReader) {}

  canActivate(context: ExecutionContext): true | Promise<true> {
    const request = requestOf(context);
    return this.bodies.parse(request)?.then(yes) ?? true;
  }
}

const yes = (): true => true;
