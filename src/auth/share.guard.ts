import { Injectable, SetMetadata, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { AccountShares, type Leave } from '../accounts/index.js';
import type { ClientContext } from './client-context.js';

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
    const http = context.switchToHttp();
    const { user } = http.getRequest<Request & { user?: ClientContext }>();
    // A public route has no account.
    if (user === undefined || this.reflector.get(TAKES_SHARE, context.getHandler()) === true) return true;
    const response = http.getResponse<Response>();
    const leave = this.shares.enterNow(user);
    if (leave === undefined) return this.wait(user, response);
    leaveWhenAnswered(response, leave);
    return true;
  }

  private async wait(client: ClientContext, response: Response): Promise<true> {
    const leave = await this.shares.enter(client, (end) => response.once('close', end));
    leaveWhenAnswered(response, leave);
    return true;
  }
}

/** An answer that is written is not yet read. A client that reads slowly holds nothing either. */
function leaveWhenAnswered(response: Response, leave: Leave): void {
  response.once('prefinish', leave);
  response.once('close', leave);
}
