import { applyDecorators, Delete, Get, HttpCode, Patch, Post } from '@nestjs/common';
import { RequireScope } from '../../auth/http.js';
import type { Scope } from '../../auth/index.js';
import {
  ApiBody,
  ApiEntity,
  ApiErrors,
  ApiId,
  ApiOperation,
  ApiResponse,
  ETAG,
  reference,
} from '../../http/index.js';

const METHODS = { get: Get, post: Post, patch: Patch, delete: Delete };

/** An answer in the OpenAPI document. */
interface RouteAnswer {
  /** The name of its schema. */
  readonly schema: string;
  readonly is?: string | undefined;
  /** 200 unless given. */
  readonly status?: number | undefined;
  /** That of the schema unless given. */
  readonly example?: object | undefined;
}

/** What a route needs, and what the OpenAPI document says of it beside the errors that all of them have. */
export interface RouteOptions {
  /** The name of the operation. */
  readonly id: string;
  readonly summary: string;
  readonly description: string;
  /** Of which each is enough; `manage` unless given. */
  readonly scopes?: readonly [Scope, ...Scope[]] | undefined;
  readonly body?: { readonly schema: string; readonly example: object; readonly required?: boolean };
  readonly answer: RouteAnswer;
  /** The 409 where it has more than every error. */
  readonly conflict?: RouteAnswer | undefined;
  /** Whether the answer has an ETag, the request may have an If-Match, or both. */
  readonly version?: 'ETag' | 'If-Match' | 'both';
}

/** Declares and documents a route that needs a scope. @param path below that of the controller */
export function Route(method: keyof typeof METHODS, path: string, options: RouteOptions): MethodDecorator {
  const { id, summary, description, scopes = ['manage'], body, answer, conflict, version } = options;
  const ids = [...path.matchAll(/:(\w+Id)/g)].map(([, name = '']) => name);
  const isRead = method === 'get';
  const isTagged = version === 'ETag' || version === 'both';
  const errors = [400, 401, 403, ...ids.map(() => 404), ...(isRead ? [] : [409, 413, 415])];
  return applyDecorators(
    METHODS[method](path),
    HttpCode(answer.status ?? 200),
    RequireScope(...scopes),
    ApiOperation({ summary, operationId: id, description }),
    ...ids.map(ApiId),
    ...(body === undefined ? [] : [bodyOf(body)]),
    ApiErrors(...errors, ...(version === 'If-Match' || version === 'both' ? [412] : [])),
    isRead && isTagged ? ApiEntity(answer.schema, answer.is) : answerOf(answer, isTagged ? ETAG : {}),
    ...(conflict === undefined ? [] : [answerOf({ ...conflict, status: 409 })]),
  );
}

function bodyOf({ schema, example, required = true }: NonNullable<RouteOptions['body']>): MethodDecorator {
  return ApiBody({ schema: reference(schema), required, examples: { example: { value: example } } });
}

function answerOf(
  { schema, is = 'Done', status = 200, example }: RouteAnswer,
  headers = {},
): MethodDecorator {
  const examples = example && { examples: { example: { value: example } } };
  const content = { 'application/json': { schema: reference(schema), ...examples } };
  return ApiResponse({ status, description: is, content, headers });
}
