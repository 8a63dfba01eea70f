import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { ParameterParser } from './query-parameters.js';
import { readQuery } from './read-query.js';

/** What `ItemRequest` reads. */
interface ItemRequestOptions {
  /** Name of the path parameter that holds the id. */
  readonly parameter: string;
  readonly query: Readonly<Record<string, ParameterParser<unknown>>>;
}

/**
 * Parameter decorator: an object with the raw `id` of the path and the query parameters, each read by its
 * parser. Throws 400 for bad and unknown query parameters.
 */
export const ItemRequest = createParamDecorator(
  ({ parameter, query }: ItemRequestOptions, context: ExecutionContext) => {
    const request = context.switchToHttp().getRequest<Request>();
    return { id: request.params[parameter], ...readQuery(request, query) };
  },
);
