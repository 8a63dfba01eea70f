import type { IncomingMessage, ServerResponse } from 'node:http';
import { createParamDecorator, type ArgumentsHost, type ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import { newId } from '../database/index.js';

/** Returns the request of a context. Nest's `switchToHttp` makes three functions each time. */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- as Nest's own `getRequest`
export const requestOf = <T = Request>(context: ArgumentsHost): T => context.getArgByIndex<T>(0);

/** Returns the response of a context. */
export const responseOf = (context: ArgumentsHost): Response => context.getArgByIndex<Response>(1);

const HEADER = 'X-Request-Id';

/** Ids of clients that are taken over: at most 128 characters that are safe in headers and log lines. */
const SANE = /^[A-Za-z0-9._:/+=@-]{1,128}$/;

/** Gives a request its id, the client's `X-Request-Id` or a new one, and sets it on the response. */
export function assignRequestId(request: IncomingMessage, response: ServerResponse): string {
  const sent = request.headers['x-request-id'];
  const id = typeof sent === 'string' && SANE.test(sent) ? sent : newId();
  response.setHeader(HEADER, id);
  return id;
}

/** Returns the id of a request. Assigns one if no middleware has done so and the headers are not sent yet. */
export function requestId(request: IncomingMessage, response: ServerResponse): string {
  const assigned = response.getHeader(HEADER);
  if (typeof assigned === 'string') return assigned;
  return response.headersSent ? newId() : assignRequestId(request, response);
}

/** Parameter decorator: the id of the request, for answers that contain error objects beside others. */
export const RequestId = createParamDecorator((_: unknown, context: ExecutionContext): string =>
  requestId(requestOf(context), responseOf(context)),
);
