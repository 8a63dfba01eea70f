import { applyDecorators, HttpCode } from '@nestjs/common';
import { ApiBody, ApiErrors, ApiId, ApiOperation, ApiResponse, ETAG, reference } from '../../http/index.js';
import { ROUTER_SHOWN } from '../../routers/http.js';
import { answerWith } from '../managed/managed-docs.js';
import { ROUTER_CHANGES_EXAMPLE, ROUTER_EXAMPLE } from './router.schemas.js';

/** A route that writes routers, in the OpenAPI document. */
interface Route {
  readonly summary: string;
  readonly operationId: string;
  readonly description: string;
  readonly status?: number;
  readonly answer: string;
  /** What the router shown is otherwise than a published one. */
  readonly shown?: object;
  /** Name of the schema of the body, and an example of it. */
  readonly body?: readonly [schema: string, example: object];
  readonly optional?: boolean;
}

const NOT_PUBLISHED = { is_published: false };
const ARCHIVED = {
  archived: '2026-06-12T08:00:00.000Z',
  archived_by: '01a1fe1c-5be2-7aa0-8d0c-61ddf2f1a7d5',
};

function route({
  summary,
  operationId,
  description,
  status = 200,
  answer,
  shown,
  body,
  optional = false,
}: Route): MethodDecorator {
  const [schema = '', example = {}] = body ?? [];
  return applyDecorators(
    HttpCode(status),
    ApiOperation({ summary, operationId, description }),
    ...(status === 201 ? [] : [ApiId('routerId')]),
    ...(body === undefined
      ? []
      : [
          ApiBody({
            schema: reference(schema),
            required: !optional,
            examples: { example: { value: example } },
          }),
        ]),
    shown === undefined
      ? ApiResponse({ status, description: answer, schema: reference('Router'), headers: ETAG })
      : answerWith(status, { description: answer, schema: 'Router', example: { ...ROUTER_SHOWN, ...shown } }),
    ApiErrors(400, 401, 403, ...(status === 201 ? [] : [404, 412]), 409, 413, 415),
  );
}

export const Create = (): MethodDecorator =>
  route({
    summary: 'Create a router, as a draft',
    operationId: 'createRouter',
    description: 'Nobody runs it before it is published. `settings` may be left out until then.',
    status: 201,
    answer: 'Created, and not published',
    shown: NOT_PUBLISHED,
    body: ['NewRouter', ROUTER_EXAMPLE],
  });

export const Update = (): MethodDecorator =>
  route({
    summary: 'Change the draft of a router',
    operationId: 'updateRouter',
    description:
      'Changes the keys that the body has, and of `settings` those that it has: null resets one. `users`, ' +
      '`teams`, `rules` and `steps` are whole lists. A draft begins with what is live.',
    answer: 'The draft. What is live stays as it is',
    shown: NOT_PUBLISHED,
    body: ['RouterChanges', ROUTER_CHANGES_EXAMPLE],
  });

export const Archive = (): MethodDecorator =>
  route({
    summary: 'Archive a router',
    operationId: 'archiveRouter',
    description: 'For good: it cannot become active again. Its name is free.',
    answer: 'Archived',
    shown: ARCHIVED,
  });

export const Publish = (): MethodDecorator =>
  route({
    summary: 'Make the draft of a router live, as its next version',
    operationId: 'publishRouter',
    description:
      'Dispatches follow it from now on, all at once. Refused where another version was published since the draft was begun: discard it then.',
    answer:
      'What is live now. Nothing changes where the router is published and has no draft, and the note is not kept',
    body: ['RouterPublication', { note: 'The new pool for spring' }],
    optional: true,
  });

export const Unpublish = (): MethodDecorator =>
  route({
    summary: 'Take a router out of use',
    operationId: 'unpublishRouter',
    description: 'Its versions and its draft stay, and it can be published again.',
    answer: 'What was live. Dispatches answer `The router is unpublished`',
    shown: NOT_PUBLISHED,
  });

export const RollBack = (): MethodDecorator =>
  route({
    summary: 'Make an earlier version of a router live again, as its next version',
    operationId: 'rollBackRouter',
    description: 'Publishes a router that is unpublished. A draft stays, and cannot be published any more.',
    answer: 'What is live now. Nothing changes where that version is live',
    body: ['RouterRollback', { version: 1 }],
  });

export const Discard = (): MethodDecorator =>
  route({
    summary: 'Discard the draft of a router',
    operationId: 'discardRouterDraft',
    description: 'Refused for a router that was never published: its draft is all that it has.',
    answer: 'What is live, of which nothing changes',
  });

export const Diff = (): MethodDecorator =>
  applyDecorators(
    ApiOperation({
      summary: 'Compare two versions of a router',
      operationId: 'compareRouterVersions',
      description: 'The values in which `to` differs from `from`, as the audit tells them.',
    }),
    ApiId('routerId'),
    ApiResponse({ status: 200, description: 'The differences', schema: reference('RouterDiff') }),
    ApiErrors(400, 401, 403, 404),
  );
