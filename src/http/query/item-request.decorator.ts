import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { ParameterParser } from './query-parameters.js';
import { readQuery } from './read-query.js';

/** What is read of a request for one item. */
interface ItemRequestOptions {
  /** Name of the path parameter that holds the id. */
  readonly parameter: string;
  readonly query: Readonly<Record<string, ParameterParser<unknown>>>;
}

/**
 * The id in the path, as `id`, together with the query parameters, each read by its parser. The id is taken
 * as it stands in the path. Answers 400 to bad and unknown query parameters.
 */
export const ItemRequest = createParamDecorator(
  ({ parameter, query }: ItemRequestOptions, context: ExecutionContext) => {
    const request = context.switchToHttp().getRequest<Request>();
    return { id: request.params[parameter], ...readQuery(request, query) };
  },
);
