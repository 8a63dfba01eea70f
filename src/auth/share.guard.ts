import { Injectable, SetMetadata, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { AccountShares } from '../accounts/index.js';
import { requestOf, responseOf, whenAnswered, whenClosed } from '../http/index.js';
import { isPublic, type ClientContext } from './decorators.js';

const TAKES_SHARE = 'fairlead:takes-share';

/**
 * Declares that a route takes its part of the account's share itself, because its requests do not each need a
 * connection. Without it, a request holds a part from its start until its answer is written.
 */
export const TakesShareItself = (): MethodDecorator => SetMetadata(TAKES_SHARE, true);

/**
 * Lets each account have its share of the requests in progress, and lets the rest wait, so that one account
 * cannot keep the others from the database. It follows `AccountGuard` and `BodyGuard`: a client that sends
 * its body slowly holds nothing. Throws 503 when too many requests of the account wait.
 */
@Injectable()
export class ShareGuard implements CanActivate {
  constructor(
    private readonly shares: AccountShares,
    private readonly reflector: Reflector,
  ) {}

  canActivate(context: ExecutionContext): true | Promise<true> {
    const request = requestOf<Request & { user?: ClientContext }>(context);
    const { user } = request;
    // A public route has no account, even where a host puts a user of its own on the request.
    if (user === undefined || isPublic(this.reflector, context)) return true;
    if (this.reflector.get(TAKES_SHARE, context.getHandler()) === true) return true;
    const response = responseOf(context);
    const leave = this.shares.enterNow(user);
    if (leave === undefined) return this.wait(user, request, response);
    whenAnswered(request, response, leave);
    return true;
  }

  private async wait(client: ClientContext, request: Request, response: Response): Promise<true> {
    let forget = (): unknown => undefined;
    let end = (): void => undefined;
    const entered = this.shares.enter(client, (ends) => {
      end = ends;
      forget = whenClosed(request.socket, ends);
    });
    try {
      whenAnswered(request, response, await this.inTime(client, entered));
    } catch (error) {
      end();
      // The share may have come at the same moment.
      entered.then((leave) => leave()).catch(() => undefined);
      throw error;
    } finally {
      forget();
    }
    return true;
  }

  /** Work that waits is refused in time, unless the request ends before. */
  private inTime<T>({ deadline }: ClientContext, work: Promise<T>): Promise<T> {
    return deadline === undefined || deadline.left > this.shares.patience ? work : deadline.wait(work);
  }
}
