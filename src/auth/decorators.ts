import {
  applyDecorators,
  createParamDecorator,
  SetMetadata,
  type CustomDecorator,
  type ExecutionContext,
} from '@nestjs/common';
import type { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import type { AccountContext } from '../accounts/index.js';
import { ApiSecurity, requestOf } from '../http/index.js';
import type { Role, Scope } from './scope.js';

/** A person who acts by a session of the console. */
export interface Person {
  readonly email: string;
  readonly role: Role;
}

/** The caller of a request: an API client with the scopes of its token, or a member with those of a role. */
export interface ClientContext extends AccountContext {
  /** Of the client, or of the member. */
  readonly clientId: string;
  readonly scopes: ReadonlySet<Scope>;
  /** Undefined for a client. */
  readonly member?: Person;
}

/** The authenticated caller of a request, and the id of that request, which an audit names. */
export interface Caller extends ClientContext {
  readonly requestId: string;
}

/** Parameter decorator: the Caller, whom AccountGuard has put on the request. */
export const Client = createParamDecorator(
  (_: unknown, context: ExecutionContext): Caller => requestOf<Request & { user: Caller }>(context).user,
);

const PUBLIC = Symbol('public');

/** Marks a route that needs no token. */
export const Public = (): CustomDecorator<symbol> => SetMetadata(PUBLIC, true);

/** Whether the route of a request needs no token. */
export function isPublic(reflector: Reflector, context: ExecutionContext): boolean {
  const targets = [context.getHandler(), context.getClass()];
  return reflector.getAllAndOverride<boolean | undefined>(PUBLIC, targets) === true;
}

export const REQUIRED_SCOPE = Symbol('requiredScope');

/**
 * Declares the scope that a route requires. A token without it is answered 403, which names that scope.
 * The OpenAPI document names the scopes too.
 * @param others scopes of which each is enough instead
 */
export const RequireScope = (scope: Scope, ...others: Scope[]): MethodDecorator & ClassDecorator =>
  applyDecorators(
    SetMetadata(REQUIRED_SCOPE, [scope, ...others]),
    ...[scope, ...others].map((each) => ApiSecurity('oauth2', [each])),
    // A token that the client has already does as well as one that the page gets.
    ApiSecurity('bearer'),
  );
