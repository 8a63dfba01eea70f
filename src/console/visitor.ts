import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { PersonRequest } from '../auth/index.js';
import { deadlineOf, networkOf, requestIdOf, requestOf, responseOf } from '../http/index.js';
import type { AnsweredVisit } from './session.service.js';

/** A request of somebody who may not be known yet, and its answer. */
export interface Visitor extends AnsweredVisit {
  readonly request: PersonRequest & { readonly originalUrl: string };
}

/** Parameter decorator: the Visitor. */
export const VisitorOf = createParamDecorator((_: unknown, context: ExecutionContext): Visitor => {
  const request = requestOf(context);
  const answer = responseOf(context);
  return {
    request,
    requestId: requestIdOf(request, answer),
    address: networkOf(request),
    deadline: deadlineOf(request),
    answer,
  };
});
