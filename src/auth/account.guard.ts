import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import type { Request } from 'express';
import { LRUCache } from 'lru-cache';
import { isId } from '../database/index.js';
import { deadlineOf, requestIdOf, requestOf, responseOf } from '../http/index.js';
import { Throttles } from '../throttles/index.js';
import { bearerToken, JwtStrategy, type VerifiedToken } from './jwt.strategy.js';
import { isPublic, REQUIRED_SCOPE, type Caller, type ClientContext } from './decorators.js';
import type { ClientStatus } from './api-clients.repository.js';
import { ClientStatusCache } from './client-status.cache.js';
import { ROLE_SCOPES, type Scope } from './scope.js';
import { Sessions } from './people/sessions.js';
import { insufficientScope, invalidToken } from './token-errors.js';

/** The scopes of which a route requires one, the one that it names first. */
type AcceptedScopes = readonly [Scope, ...Scope[]];

/** Verifies a token by a `JwtStrategy`, and puts what it says on the request as `user`. */
class PassportGuard extends AuthGuard() {
  constructor(defaultStrategy: string) {
    super({ defaultStrategy });
  }

  /** Called by Passport with the error of the strategy, or its user: false where it refuses the token. */
  override handleRequest<T>(error: unknown, user: T | false): T {
    if (error !== null && error !== undefined) throw error as Error;
    if (user === false) throw invalidToken();
    return user;
  }
}

/**
 * Guards every route that is not `@Public()`: requires a valid bearer token with the scope of the route, or
 * without any token the session of a member whose role has it, and puts the ClientContext of the caller on
 * the request as `user`. Counts the request for the throttles once the caller is known to be good, so that
 * the answer tells the limit whatever comes next. Forbids caches to keep the answer. Throws 401 without a
 * valid token or session, 429 beyond a limit, 403 without the scope, also for a route that names none.
 */
@Injectable()
export class AccountGuard implements CanActivate {
  private readonly passport: PassportGuard;
  /** A client sends one until it expires, and to verify it costs more than the rest of the way. */
  private readonly tokens = new LRUCache<string, VerifiedToken>({ max: 10_000 });

  constructor(
    private readonly reflector: Reflector,
    private readonly statuses: ClientStatusCache,
    private readonly throttles: Throttles,
    private readonly sessions: Sessions,
    // Its own type is of a package that hosts do not have the types of.
    @Inject(JwtStrategy) { name }: { readonly name: string },
  ) {
    this.passport = new PassportGuard(name);
  }

  canActivate(context: ExecutionContext): true | Promise<true> {
    if (isPublic(this.reflector, context)) return true;
    const request = requestOf(context);
    const { authorization, cookie } = request.headers;
    if (authorization === undefined && cookie !== undefined) return this.admitPerson(request, context);
    const text = bearerToken(request);
    const token = this.tokens.get(text);
    const isGood = token !== undefined && Date.now() < token.exp * 1_000;
    return isGood ? this.admit(token, context) : this.verify(text, context);
  }

  private async verify(text: string, context: ExecutionContext): Promise<true> {
    await this.passport.canActivate(context);
    const token = requestOf<{ user: VerifiedToken }>(context).user;
    this.tokens.set(text, token);
    return this.admit(token, context);
  }

  private async admitPerson(request: Request, context: ExecutionContext): Promise<true> {
    const found = this.sessions.use(request, responseOf(context));
    const session = await (deadlineOf(request)?.wait(found) ?? found);
    const { accountId, memberId: clientId, email, role } = session;
    return this.allow(context, { accountId, clientId, scopes: ROLE_SCOPES[role], member: { email, role } });
  }

  private admit(token: VerifiedToken, context: ExecutionContext): true | Promise<true> {
    const { clientId } = token;
    // The log names who was refused, too.
    requestOf<{ user?: VerifiedToken }>(context).user = token;
    // The status may cost a query, which a request that is refused must not.
    this.throttles.refuseExhausted(token, responseOf(context));
    const status = isId(clientId) ? this.statuses.get(clientId) : undefined;
    if (!(status instanceof Promise)) return this.admitAs(token, status, context);
    const deadline = deadlineOf(requestOf(context));
    // Other requests of the client wait for it too.
    const present = deadline?.wait(status) ?? status;
    return present.then((known) => this.admitAs(token, known, context));
  }

  /** @throws 401 when the client is revoked or its account suspended; 429; 403 */
  private admitAs(token: VerifiedToken, status: ClientStatus | undefined, context: ExecutionContext): true {
    const { accountId, clientId, scopes } = token;
    if (status?.accountId !== accountId) throw invalidToken();
    this.throttles.admit(token, responseOf(context));
    const allowed = new Set(scopes.filter((scope) => status.scopes.includes(scope)));
    return this.allow(context, { accountId, clientId, scopes: allowed });
  }

  /** @throws 403 */
  private allow(context: ExecutionContext, caller: ClientContext): true {
    const request = requestOf<Request & { user: Caller }>(context);
    const response = responseOf(context);
    request.user = { ...caller, deadline: deadlineOf(request), requestId: requestIdOf(request, response) };
    const targets = [context.getHandler(), context.getClass()];
    const accepted = this.reflector.getAllAndOverride<AcceptedScopes | undefined>(REQUIRED_SCOPE, targets);
    if (accepted === undefined) throw insufficientScope('manage');
    if (!accepted.some((scope) => caller.scopes.has(scope))) throw insufficientScope(accepted[0]);
    response.setHeader('Cache-Control', 'no-store');
    return true;
  }
}
