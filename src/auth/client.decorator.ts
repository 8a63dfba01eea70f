import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { ClientContext } from './client-context.js';

/** The authenticated caller, put on the request by the guard. */
export const Client = createParamDecorator(
  (_: unknown, context: ExecutionContext): ClientContext =>
    context.switchToHttp().getRequest<Request & { user: ClientContext }>().user,
);
