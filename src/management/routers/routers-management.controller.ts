import { applyDecorators, Controller, Delete, Get, HttpCode, Patch, Post } from '@nestjs/common';
import type { ClientContext } from '../../auth/index.js';
import { Client, RequireScope, type Caller } from '../../auth/http.js';
import {
  ApiErrors,
  ApiId,
  ApiOperation,
  ApiResponse,
  ApiTags,
  closedObject,
  described,
  dry_run,
  dtoBody,
  emptyBody,
  Entity,
  type EntityAnswer,
  listOf,
  PartsOfRequest,
  reference,
  type RequestParts,
  type Schemas,
  ValidRequest,
  version,
} from '../../http/index.js';
import { NewRouterDto, RouterChangesDto, type VersionChoice } from '../../routers/index.js';
import type { Tried } from '../change/changes.service.js';
import { dtoSchemas } from '../managed/dto-schemas.js';
import { answer, body } from '../managed/managed-docs.js';
import { editOf, optionalBody, type WriteQuery } from '../managed/managed.controller.js';
import { PublishDto, RollbackDto } from './router-bodies.dto.js';
import { routerVersionOf, type RouterView } from './router-view.js';
import { ROUTER_SHOWN } from './router.schemas.js';
import { RoutersManagementService, type Warned } from './routers-management.service.js';

const ENTITY = { name: 'routers', versionOf: routerVersionOf };
const WRITE = { parameter: 'routerId', query: { dry_run }, preconditions: 'If-Match' } as const;

/** The versions that are compared. */
type Compared = Readonly<Record<'from' | 'to', VersionChoice>>;

const DESCRIBED = {
  schema: { type: 'string', maxLength: 10, pattern: '^(live|draft|[1-9]\\d{0,9})$' },
} as const;
const COMPARED = {
  from: described(version, { ...DESCRIBED, description: '`live` (unless given), `draft` or a number' }),
  to: described((raw, name, query) => version(raw ?? 'draft', name, query), {
    ...DESCRIBED,
    description: '`live`, `draft` (unless given) or a number',
  }),
};

/** The body of a request that creates a router. */
const ROUTER_EXAMPLE = {
  name: 'Nordic',
  object_type: 'contacts',
  settings: { overwrite: true, distribution_model: 'round robin' },
  users: [{ email: 'ada@demo.test' }],
  teams: [{ name: 'Sales' }],
};

/** A route that writes routers, in the OpenAPI document. */
interface Route {
  readonly summary: string;
  readonly operationId: string;
  readonly description: string;
  readonly status?: number;
  /** What the answer, a router, is. */
  readonly is: string;
  /** What the router shown is otherwise than a published one. */
  readonly shown?: object;
  readonly body?: MethodDecorator;
}

const NOT_PUBLISHED = { is_published: false };

function route({
  summary,
  operationId,
  description,
  status = 200,
  is,
  shown,
  ...route
}: Route): MethodDecorator {
  const isNew = status === 201;
  return applyDecorators(
    RequireScope('manage'),
    HttpCode(status),
    ApiOperation({ summary, operationId, description }),
    ...(isNew ? [] : [ApiId('routerId')]),
    ...(route.body === undefined ? [] : [route.body]),
    answer(status, {
      description: is,
      schema: 'Router',
      example: shown && { ...ROUTER_SHOWN, ...shown },
    }),
    ApiErrors(400, 401, 403, ...(isNew ? [] : [404, 412]), 409, 413, 415),
  );
}

@ApiTags('Routers')
@Controller('routers')
export class RoutersManagementController {
  constructor(private readonly routers: RoutersManagementService) {}

  /** Creates a router. Nobody runs it before it is published (contract section 6). */
  @Post()
  @route({
    summary: 'Create a router, as a draft',
    operationId: 'createRouter',
    description: 'Nobody runs it before it is published. `settings` may be left out until then.',
    status: 201,
    is: 'Created, and not published',
    shown: NOT_PUBLISHED,
    body: body('NewRouter', ROUTER_EXAMPLE),
  })
  create(
    @Client() client: Caller,
    @PartsOfRequest({ query: { dry_run }, body: dtoBody(NewRouterDto) })
    { query, ...sent }: RequestParts<WriteQuery, NewRouterDto>,
    @Entity({ ...ENTITY, path: 'collection' }) { created }: EntityAnswer,
  ): Promise<RouterView & Tried> {
    const router = this.routers.create(client, { sent, dryRun: query.dry_run });
    return query.dry_run ? router : router.then(created);
  }

  /** Changes the draft of a router; what is live stays as it is until the draft is published. */
  @Patch(':routerId')
  @route({
    summary: 'Change the draft of a router',
    operationId: 'updateRouter',
    description:
      'Changes the keys that the body has, and of `settings` those that it has; `settings: null` takes all away. ' +
      '`users`, `teams`, `rules` and `steps` are whole lists. A draft begins with what is live.',
    is: 'The draft. What is live stays as it is',
    shown: NOT_PUBLISHED,
    body: body('RouterChanges', { settings: { default_user: 'ada@demo.test' } }),
  })
  update(
    @Client() client: Caller,
    @PartsOfRequest({ ...WRITE, body: dtoBody(RouterChangesDto) })
    sent: RequestParts<WriteQuery, RouterChangesDto>,
    @Entity(ENTITY) { present }: EntityAnswer,
  ): Promise<RouterView & Tried> {
    return this.routers.update(client, { ...editOf(sent), sent }).then(present);
  }

  /** Archives a router. Its name is free again. */
  @Delete(':routerId')
  @route({
    summary: 'Archive a router',
    operationId: 'archiveRouter',
    description: 'For good: it cannot become active again. Its name is free.',
    is: 'Archived',
    shown: { archived: '2026-06-12T08:00:00.000Z', archived_by: '01a1fe1c-5be2-7aa0-8d0c-61ddf2f1a7d5' },
  })
  archive(
    @Client() client: Caller,
    @ValidRequest(WRITE) sent: RequestParts<WriteQuery, never>,
    @Entity(ENTITY) { present }: EntityAnswer,
  ): Promise<RouterView & Tried> {
    return this.routers.archive(client, editOf(sent)).then(present);
  }

  /** Makes the draft live with the next dispatch, all at once. */
  @Post(':routerId/publish')
  @route({
    summary: 'Make the draft of a router live, as its next version',
    operationId: 'publishRouter',
    description:
      'Dispatches follow it from now on, all at once. Refused where another version was published since the draft was begun: discard it then.',
    is: 'What is live now. Nothing changes where the router is published and has no draft, and the note is not kept',
    body: body('RouterPublication', { note: 'The new pool for spring' }, false),
  })
  publish(
    @Client() client: Caller,
    @ValidRequest({ ...WRITE, body: optionalBody(PublishDto) }) sent: RequestParts<WriteQuery, PublishDto>,
    @Entity(ENTITY) { present }: EntityAnswer,
  ): Promise<RouterView & Tried & Warned> {
    return this.routers.publish(client, { ...editOf(sent), note: sent.body.note ?? null }).then(present);
  }

  /** Takes a router out of use with the next dispatch. */
  @Post(':routerId/unpublish')
  @route({
    summary: 'Take a router out of use',
    operationId: 'unpublishRouter',
    description: 'Its versions and its draft stay, and it can be published again.',
    is: 'What was live. Dispatches answer `The router is unpublished`',
    shown: NOT_PUBLISHED,
  })
  unpublish(
    @Client() client: Caller,
    @ValidRequest({ ...WRITE, body: emptyBody }) sent: RequestParts<WriteQuery, undefined>,
    @Entity(ENTITY) { present }: EntityAnswer,
  ): Promise<RouterView & Tried> {
    return this.routers.unpublish(client, editOf(sent)).then(present);
  }

  /** Makes an earlier version live again with the next dispatch, all at once. */
  @Post(':routerId/rollback')
  @route({
    summary: 'Make an earlier version of a router live again, as its next version',
    operationId: 'rollBackRouter',
    description: 'Publishes a router that is unpublished. A draft stays, and cannot be published any more.',
    is: 'What is live now. Nothing changes where that version is live',
    body: body('RouterRollback', { version: 1 }),
  })
  rollBack(
    @Client() client: Caller,
    @ValidRequest({ ...WRITE, body: dtoBody(RollbackDto) }) sent: RequestParts<WriteQuery, RollbackDto>,
    @Entity(ENTITY) { present }: EntityAnswer,
  ): Promise<RouterView & Tried> {
    return this.routers.rollBack(client, { ...editOf(sent), version: sent.body.version }).then(present);
  }

  /** Discards the draft. */
  @Delete(':routerId/draft')
  @route({
    summary: 'Discard the draft of a router',
    operationId: 'discardRouterDraft',
    description: 'Refused for a router that was never published: its draft is all that it has.',
    is: 'What is live, of which nothing changes',
  })
  discard(
    @Client() client: Caller,
    @ValidRequest(WRITE) sent: RequestParts<WriteQuery, never>,
    @Entity(ENTITY) { present }: EntityAnswer,
  ): Promise<RouterView & Tried> {
    return this.routers.discard(client, editOf(sent)).then(present);
  }

  /** The values in which two versions of a router differ (contract section 6). */
  @Get(':routerId/diff')
  @RequireScope('directory:read', 'manage')
  @ApiOperation({
    summary: 'Compare two versions of a router',
    operationId: 'compareRouterVersions',
    description: 'The values in which `to` differs from `from`, as the audit tells them.',
  })
  @ApiId('routerId')
  @ApiResponse({ status: 200, description: 'The differences', schema: reference('RouterDiff') })
  @ApiErrors(400, 401, 403, 404)
  diff(
    @Client() client: ClientContext,
    @ValidRequest({ parameter: 'routerId', query: COMPARED }) { id, query }: RequestParts<Compared, never>,
  ): Promise<Tried> {
    return this.routers.diff(client, id, query);
  }
}

const SHARE = 'Share, under the percentage model';
const ABOUT = {
  object_type: 'Cannot change',
  settings: 'The keys of `settings` of a router. Keys that are left out stay; null removes all of them',
  'users.percentage': SHARE,
  'teams.percentage': SHARE,
};

/** Returns the schemas of the bodies that write routers in the OpenAPI document. */
export function routerBodySchemas(): Schemas {
  const body = closedObject({}, dtoSchemas(NewRouterDto, ABOUT).values);
  const note = { note: 'For those who read the versions' };
  return {
    NewRouter: { ...body, required: ['name', 'object_type'] },
    RouterChanges: body,
    RouterPublication: closedObject({}, dtoSchemas(PublishDto, note).values),
    RouterRollback: closedObject(dtoSchemas(RollbackDto).values),
    RouterDiff: {
      ...closedObject({ changes: listOf(reference('ValueChange')) }),
      examples: [{ changes: [{ path: 'settings.overwrite', from: false, to: true }] }],
    },
  };
}
