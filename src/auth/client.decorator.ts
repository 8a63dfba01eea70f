import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { ClientContext } from './client-context.js';

/**
 * Parameter decorator: the ClientContext of the authenticated caller, which AccountGuard has put on the
 * request.
 */
export const Client = createParamDecorator(
  (_: unknown, context: ExecutionContext): ClientContext =>
    context.switchToHttp().getRequest<Request & { user: ClientContext }>().user,
);
