import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { requestOf, responseOf } from '../request.js';
import { entityTag, isKnown } from './preconditions.js';

/** Adds the `Location` of what a route has created, and returns it. */
export type Located = <Created extends { readonly id?: unknown }>(created: Created) => Created;

/** Sets the headers of an answer that is one entity, and returns the answer. */
export interface EntityAnswer {
  /** Sets `ETag`, and the status 304 for a GET whose `If-None-Match` has it. */
  readonly present: <Body extends object>(body: Body) => Body;
  /** Sets `ETag`, `Location` and the status 201. */
  readonly created: Located;
}

interface EntityOptions {
  /** How the last part of the path of the collection is spelled, which clients may write in any case. */
  readonly name: string;
  /** What the path of the request names. Default `item`. */
  readonly path?: 'collection' | 'item';
  /** Returns the version of an entity; undefined for what has none. */
  readonly versionOf: (body: object) => string | undefined;
}

/**
 * Parameter decorator: a function that sets `Location` to the path of the request and the id of what was
 * created, such as `/contacts/<id>`. In a host it has the prefix under which the route is reached.
 * @param name how the last part of the path is spelled, which clients may write in any case
 */
export const LocatedAs = createParamDecorator((name: string, context: ExecutionContext): Located =>
  locating(context, name, 1),
);

/** Parameter decorator: an EntityAnswer. */
export const Entity = createParamDecorator(
  ({ name, path = 'item', versionOf }: EntityOptions, context: ExecutionContext): EntityAnswer => {
    const response = responseOf(context);
    const present: EntityAnswer['present'] = (body) => {
      const version = versionOf(body);
      if (version === undefined) return body;
      const tag = entityTag(version, body);
      response.setHeader('ETag', tag);
      const { method, headers } = requestOf(context);
      const isRead = method === 'GET' || method === 'HEAD';
      // Express does not answer 304 to a request with `Cache-Control: no-cache`, which is for caches, and
      // which `fetch` adds to each `If-None-Match`.
      if (isRead && isKnown(headers['if-none-match'], tag)) response.status(304);
      return body;
    };
    const created: Located = (body) => {
      response.status(201);
      return present(locating(context, name, path === 'item' ? 2 : 1)(body));
    };
    return { present, created };
  },
);

/** @param parts how many parts at the end of the path name and id stand for */
function locating(context: ExecutionContext, name: string, parts: number): Located {
  return (created) => {
    const { baseUrl, path } = requestOf(context);
    const collection = (baseUrl + path).replace(/\/+$/, '').split('/').slice(0, -parts);
    responseOf(context).setHeader('Location', [...collection, name, String(created.id)].join('/'));
    return created;
  };
}
