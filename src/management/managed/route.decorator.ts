import { applyDecorators, Delete, Get, Patch, Post } from '@nestjs/common';
import { RequireScope } from '../../auth/http.js';
import type { Scope } from '../../auth/index.js';
import { ApiAnswer, ApiId, ApiNotModified, ApiRoute, type AnswerDocs } from '../../http/index.js';

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
  const { id, scopes = ['manage'], body, answer, conflict, version, ...docs } = options;
  const ids = [...path.matchAll(/:(\w+Id)/g)].map(([, name = '']) => name);
  const isRead = method === 'get';
  const isRecord = version === 'ETag' || version === 'both';
  const writes = isRead ? [] : [409, 413, 415];
  const changed = version === 'If-Match' || version === 'both' ? [412] : [];
  return applyDecorators(
    METHODS[method](path),
    RequireScope(...scopes),
    ...ids.map(ApiId),
    ApiRoute({
      ...docs,
      operationId: id,
      answer: docsOf(answer),
      status: answer.status,
      isRecord,
      body: body && [body.schema, { example: { value: body.example } }, body.required],
      errors: [...ids.map(() => 404), ...writes, ...changed],
    }),
    ...(isRead && isRecord ? [ApiNotModified()] : []),
    ...(conflict === undefined ? [] : [ApiAnswer(409, docsOf(conflict))]),
  );
}

const docsOf = ({ is = 'Done', schema, example }: RouteAnswer): AnswerDocs => [is, schema, example];
