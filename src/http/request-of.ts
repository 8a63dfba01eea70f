import type { ArgumentsHost } from '@nestjs/common';
import type { Request, Response } from 'express';

/** Returns the request of a context. Nest's `switchToHttp` makes three functions each time. */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- as Nest's own `getRequest`
export const requestOf = <T = Request>(context: ArgumentsHost): T => context.getArgByIndex<T>(0);

/** Returns the response of a context. */
export const responseOf = (context: ArgumentsHost): Response => context.getArgByIndex<Response>(1);
