import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { requestOf } from '../http/index.js';
import type { ClientContext } from './client-context.js';

/**
 * Parameter decorator: the ClientContext of the authenticated caller, which AccountGuard has put on the
 * request.
 */
export const Client = createParamDecorator(
  (_: unknown, context: ExecutionContext): ClientContext =>
    requestOf<Request & { user: ClientContext }>(context).user,
);
