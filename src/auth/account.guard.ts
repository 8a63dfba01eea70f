import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import type { Request, Response } from 'express';
import { isId } from '../database/index.js';
import { DomainError } from '../errors/domain-error.js';
import { bearerToken } from './authorization-header.js';
import type { ClientContext } from './client-context.js';
import { ClientStatusCache } from './client-status.cache.js';
import type { BearingToken } from './jwt.strategy.js';
import { isPublic } from './public.decorator.js';
import { REQUIRED_SCOPE } from './require-scope.decorator.js';
import type { Scope } from './scope.js';
import { invalidToken } from './token-errors.js';
import { VerifiedTokensCache, type VerifiedToken } from './verified-tokens.cache.js';

/** Verifies a token by `JwtStrategy`, and puts what it says on the request as `user`. */
class PassportGuard extends AuthGuard('jwt') {
  /**
   * Called by Passport with the result of the strategy.
   * @param user the verified token; false when the strategy refused it
   * @throws the error of the strategy, or 401
   */
  override handleRequest<T>(error: unknown, user: T | false): T {
    if (error !== null && error !== undefined) throw error as Error;
    if (user === false) throw invalidToken();
    return user;
  }
}

/**
 * Guards every route that is not `@Public()`: requires a valid bearer token with the scope of the route, and
 * puts the ClientContext of the caller on the request as `user`. Forbids caches to keep the answer. Throws
 * 401 without a valid token, 403 without the scope.
 */
@Injectable()
export class AccountGuard implements CanActivate {
  private readonly passport = new PassportGuard();

  constructor(
    private readonly reflector: Reflector,
    private readonly tokens: VerifiedTokensCache,
    private readonly statuses: ClientStatusCache,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (isPublic(this.reflector, context)) return true;
    const http = context.switchToHttp();
    const request = http.getRequest<Request & { user: ClientContext }>();
    request.user = await this.contextOf(await this.verified(request, context));
    const scope = this.reflector.getAllAndOverride<Scope | undefined>(REQUIRED_SCOPE, [
      context.getHandler(),
      context.getClass(),
    ]);
    // A route that names no scope requires the strongest one.
    if (scope === undefined || !request.user.scopes.has(scope)) throw insufficientScope(scope ?? 'manage');
    http.getResponse<Response>().setHeader('Cache-Control', 'no-store');
    return true;
  }

  private async verified(request: BearingToken, context: ExecutionContext): Promise<VerifiedToken> {
    const text = bearerToken(request);
    const known = this.tokens.get(text);
    if (known !== undefined) return known;
    request.bearerToken = text;
    await this.passport.canActivate(context);
    const token = request.user as VerifiedToken;
    this.tokens.set(text, token);
    return token;
  }

  /** @throws 401 when the client is revoked or its account suspended */
  private async contextOf({ accountId, clientId, scopes }: VerifiedToken): Promise<ClientContext> {
    const client = isId(clientId) ? await this.statuses.get(clientId) : undefined;
    if (client?.accountId !== accountId) throw invalidToken();
    return { accountId, clientId, scopes: new Set(scopes.filter((scope) => client.scopes.includes(scope))) };
  }
}

function insufficientScope(scope: Scope): DomainError {
  return new DomainError(403, `This token lacks the scope ${scope}`, {
    headers: { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${scope}"` },
  });
}
