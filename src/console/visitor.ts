import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { PersonRequest } from '../auth/index.js';
import { deadlineOf, networkOf, requestIdOf, requestOf, responseOf } from '../http/index.js';
import type { Visit } from './session.service.js';

/** A request of somebody who may not be known yet, and the cookies of its answer. */
export interface Visitor extends Visit {
  readonly request: PersonRequest & { readonly originalUrl: string };
  setCookies(...cookies: readonly string[]): void;
}

/** Parameter decorator: the Visitor. */
export const VisitorOf = createParamDecorator((_: unknown, context: ExecutionContext): Visitor => {
  const request = requestOf(context);
  const response = responseOf(context);
  return {
    request,
    requestId: requestIdOf(request, response),
    address: networkOf(request),
    deadline: deadlineOf(request),
    setCookies: (...cookies) => response.setHeader('Set-Cookie', cookies),
  };
});
