import { Injectable, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import type { Request } from 'express';
import { DomainError } from '../errors/domain-error.js';
import { unauthorized } from '../errors/errors.js';
import type { ClientContext } from './client-context.js';
import { PUBLIC } from './public.decorator.js';
import { REQUIRED_SCOPE } from './require-scope.decorator.js';
import type { Scope } from './scope.js';

/** Lets a request pass with a valid token of sufficient scope, and puts the caller's context on it. */
@Injectable()
export class AccountGuard extends AuthGuard('jwt') {
  constructor(private readonly reflector: Reflector) {
    super();
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const targets = [context.getHandler(), context.getClass()];
    if (this.reflector.getAllAndOverride<boolean | undefined>(PUBLIC, targets) === true) return true;
    await super.canActivate(context);
    const scope = this.reflector.getAllAndOverride<Scope | undefined>(REQUIRED_SCOPE, targets);
    const { user } = context.switchToHttp().getRequest<Request & { user: ClientContext }>();
    // A route that forgot to name its scope is closed, not open.
    if (scope === undefined || !user.scopes.has(scope)) throw insufficientScope(scope ?? 'manage');
    return true;
  }

  override handleRequest<T>(error: unknown, user: T | false, info: unknown): T {
    if (error !== null && error !== undefined) throw error as Error;
    if (user === false) {
      const presented = !(info instanceof Error && info.message === 'No auth token');
      throw presented
        ? unauthorized('Unauthorized: invalid or expired token', 'Bearer error="invalid_token"')
        : unauthorized('Unauthorized: missing bearer token');
    }
    return user;
  }
}

function insufficientScope(scope: Scope): DomainError {
  return new DomainError(403, `This token lacks the scope ${scope}`, {
    headers: { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${scope}"` },
  });
}
