import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import { requestId } from './request-id.js';

/** Parameter decorator: the id of the request, for answers that contain error objects beside others. */
export const RequestId = createParamDecorator((_: unknown, context: ExecutionContext): string => {
  const http = context.switchToHttp();
  return requestId(http.getRequest<Request>(), http.getResponse<Response>());
});
