import { applyDecorators, Delete, Get, Patch, Post } from '@nestjs/common';
import { RequireScope } from '../../auth/http.js';
import type { Scope } from '../../auth/index.js';
import {
  ApiAnswer,
  ApiId,
  ApiNotModified,
  ApiRoute,
  type AnswerDocs,
  type RouteDocs,
} from '../../http/index.js';

const METHODS = { get: Get, post: Post, patch: Patch, delete: Delete };

/** What a route needs, and what the OpenAPI document says of it beside the errors that all of them have. */
export interface RouteOptions extends Omit<RouteDocs, 'isRecord' | 'errors'> {
  /** Of which each is enough; `manage` unless given. */
  readonly scopes?: readonly [Scope, ...Scope[]] | undefined;
  /** The 409 where it has more than every error. */
  readonly conflict?: AnswerDocs | undefined;
  /** Whether the answer has an ETag, the request may have an If-Match, or both. */
  readonly version?: 'ETag' | 'If-Match' | 'both';
}

/** Declares and documents a route that needs a scope. @param path below that of the controller */
export function Route(method: keyof typeof METHODS, path: string, options: RouteOptions): MethodDecorator {
  const { scopes = ['manage'], conflict, version, ...docs } = options;
  const ids = [...path.matchAll(/:(\w+Id)/g)].map(([, name = '']) => name);
  const isRead = method === 'get';
  const isRecord = version === 'ETag' || version === 'both';
  const writes = isRead ? [] : [409, 413, 415];
  const changed = version === 'If-Match' || version === 'both' ? [412] : [];
  const errors = [...ids.map(() => 404), ...writes, ...changed];
  return applyDecorators(
    METHODS[method](path),
    RequireScope(...scopes),
    ...ids.map(ApiId),
    ApiRoute({ ...docs, isRecord, errors }),
    ...(isRead && isRecord ? [ApiNotModified()] : []),
    ...(conflict === undefined ? [] : [ApiAnswer({ ...conflict, status: 409 })]),
  );
}
