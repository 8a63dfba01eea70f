import type { Socket } from 'node:net';
import { Injectable, SetMetadata, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { AccountShares, type Leave } from '../accounts/index.js';
import type { ClientContext } from './client-context.js';
import { PUBLIC } from './public.decorator.js';

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
    const { user, socket } = http.getRequest<Request & { user?: ClientContext }>();
    // A public route has no account, even where a host puts a user of its own on the request.
    const isPublic = this.reflector.getAllAndOverride<boolean | undefined>(PUBLIC, [
      context.getHandler(),
      context.getClass(),
    ]);
    if (user === undefined || isPublic === true) return true;
    if (this.reflector.get(TAKES_SHARE, context.getHandler()) === true) return true;
    const response = http.getResponse<Response>();
    const leave = this.shares.enterNow(user);
    if (leave === undefined) return this.wait(user, socket, response);
    leaveWhenAnswered(socket, response, leave);
    return true;
  }

  private async wait(client: ClientContext, socket: Socket, response: Response): Promise<true> {
    let forget = (): unknown => undefined;
    try {
      const leave = await this.shares.enter(client, (end) => (forget = whenClosed(socket, end)));
      leaveWhenAnswered(socket, response, leave);
    } finally {
      forget();
    }
    return true;
  }
}

/** An answer that is written is not yet read. A client that reads slowly holds nothing either. */
function leaveWhenAnswered(socket: Socket, response: Response, leave: Leave): void {
  const forget = whenClosed(socket, leave);
  response.once('prefinish', () => {
    forget();
    leave();
  });
}

/** What is to be done when a connection is closed: one listener for all of its requests. */
const closings = new WeakMap<Socket, Set<() => void>>();

/**
 * Calls a function when a connection is closed, at once where it is closed already. A response says so only
 * while it is the first of its connection: those behind it, of pipelined requests, emit no event.
 * @returns forgets the function
 */
function whenClosed(socket: Socket, act: () => void): () => void {
  if (socket.destroyed) {
    act();
    return () => undefined;
  }
  let all = closings.get(socket);
  if (all === undefined) {
    const made = new Set<() => void>();
    socket.once('close', () => made.forEach((each) => each()));
    closings.set(socket, made);
    all = made;
  }
  all.add(act);
  return () => all.delete(act);
}
