import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { requestOf, responseOf } from './request-of.js';

/** Adds the `Location` of what a route has created, and returns it. */
export type Located = <Created extends { readonly id?: unknown }>(created: Created) => Created;

/**
 * Parameter decorator: a function that sets `Location` to the path of the request and the id of what was
 * created, such as `/contacts/<id>`. In a host it has the prefix under which the route is reached.
 * @param name how the last part of the path is spelled, which clients may write in any case
 */
export const LocatedAs = createParamDecorator((name: string, context: ExecutionContext): Located => {
  const response = responseOf(context);
  return (created) => {
    response.setHeader('Location', locationOf(context, 1, `${name}/${String(created.id)}`));
    return created;
  };
});

/** Returns the path of a request with its last parts replaced. */
export function locationOf(context: ExecutionContext, parts: number, end: string): string {
  const request = requestOf(context);
  const path = (request.baseUrl + request.path).replace(/\/+$/, '').split('/');
  return [...path.slice(0, -parts), end].join('/');
}
