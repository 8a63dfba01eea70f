import type { ServerResponse } from 'node:http';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { AccountContext } from '../accounts/index.js';
import type { PersonRequest } from '../auth/index.js';
import { deadlineOf, networkOf, requestIdOf, requestOf, responseOf } from '../http/index.js';

/** A request of somebody who may not be known yet, and its answer, which may have cookies. */
export interface Visitor extends Pick<AccountContext, 'deadline'> {
  readonly request: PersonRequest & { readonly originalUrl: string };
  readonly requestId: string;
  /** Under which failed attempts are counted. */
  readonly address: string;
  readonly answer: Pick<ServerResponse, 'setHeader'>;
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
