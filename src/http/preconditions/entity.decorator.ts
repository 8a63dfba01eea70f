import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { locationOf } from '../located.decorator.js';
import { requestOf, responseOf } from '../request-of.js';
import { entityTag, readTags } from './entity-tag.js';

/** Sets the headers of an answer that is one entity, and returns the answer. */
export interface EntityAnswer {
  /** Sets `ETag`, and the status 304 for a GET whose `If-None-Match` has it. */
  readonly present: <Body extends object>(body: Body) => Body;
  /** Sets `ETag`, `Location` and the status 201. */
  readonly created: <Body extends { readonly id?: unknown }>(body: Body) => Body;
}

interface EntityOptions {
  /** How the last part of the path of the collection is spelled, which clients may write in any case. */
  readonly name: string;
  /** What the path of the request names. Default `item`. */
  readonly path?: 'collection' | 'item';
  /** Returns the version of an entity; undefined for what has none. */
  readonly versionOf: (body: object) => string | undefined;
}

/** Parameter decorator: an EntityAnswer. */
export const Entity = createParamDecorator(
  ({ name, path = 'item', versionOf }: EntityOptions, context: ExecutionContext): EntityAnswer => {
    const response = responseOf(context);
    const present: EntityAnswer['present'] = (body) => {
      const version = versionOf(body);
      if (version === undefined) return body;
      const tag = entityTag(version, body);
      response.setHeader('ETag', tag);
      if (isKnown(requestOf(context), tag)) response.status(304);
      return body;
    };
    return {
      present,
      created: (body) => {
        response.status(201);
        const end = `${name}/${String(body.id)}`;
        response.setHeader('Location', locationOf(context, path === 'item' ? 2 : 1, end));
        return present(body);
      },
    };
  },
);

/**
 * Whether a client that reads has an answer already. Express does not answer 304 to a request with
 * `Cache-Control: no-cache`, which is for caches, and which `fetch` adds to each `If-None-Match`.
 */
function isKnown({ method, headers: { 'if-none-match': known } }: Request, current: string): boolean {
  if (known === undefined || (method !== 'GET' && method !== 'HEAD')) return false;
  if (known.trim() === '*') return true;
  return readTags(known.trim())?.some(({ tag }) => tag === current) ?? false;
}
