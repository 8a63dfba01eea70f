import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import { requestIdOf } from '../http/index.js';
import type { ClientContext } from './client-context.js';

/** The authenticated caller of a request, and the id of that request, which an audit names. */
export interface Caller extends ClientContext {
  readonly requestId: string;
}

/** Parameter decorator: the Caller. */
export const AuditedClient = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  const http = context.switchToHttp();
  const request = http.getRequest<Request & { user: ClientContext }>();
  return { ...request.user, requestId: requestIdOf(request, http.getResponse<Response>()) };
});
