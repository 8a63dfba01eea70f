import { applyDecorators, Controller, Delete, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
import type { ClientContext } from '../../auth/index.js';
import { Client, RequireScope, type Caller } from '../../auth/http.js';
import { OBJECT_TYPES } from '../../fields/index.js';
import {
  after,
  ApiEntity,
  ApiErrors,
  ApiId,
  ApiOperation,
  ApiParam,
  ApiResponse,
  ApiTags,
  archived,
  described,
  dry_run,
  dtoBody,
  emptyBody,
  Entity,
  type EntityAnswer,
  flag,
  integer,
  limit,
  NAME,
  NoQueryParameters,
  offset,
  oneOf,
  optionalText,
  type Page,
  PartsOfRequest,
  q,
  QueryParameters,
  reference,
  type RequestParts,
  several,
  ValidRequest,
  version,
} from '../../http/index.js';
import { NewRouterDto, RouterChangesDto, type VersionChoice } from '../../routers/index.js';
import type { Tried } from '../change/changes.service.js';
import { answer, body } from '../managed/managed-docs.js';
import { editOf, optionalBody, type WriteQuery } from '../managed/managed.controller.js';
import { PublishDto, RollbackDto } from './router-bodies.dto.js';
import {
  routerVersionOf,
  type RouterVersionItem,
  type RouterVersionView,
  type RouterView,
} from './router-view.js';
import { ROUTER_SHOWN } from './router.schemas.js';
import { RoutersManagementService, type Warned } from './routers-management.service.js';
import {
  RoutersService,
  type ListedRouter,
  type RouterPageRequest,
  type RouterRequest,
  type VersionPageRequest,
} from './routers.service.js';

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

const expand = oneOf(['status'], {
  description: '`status`: what they do now, what waits to be published, and what is wrong',
});

const id = several('Those with one of these ids');
const object_type = oneOf(OBJECT_TYPES, { description: 'Those of records of this type' });
const user = described(optionalText, {
  description:
    'Those that list a user, by the id or the e-mail: in a pool, in a team of one, or as the backup',
  schema: { ...NAME },
});
const brief = described(flag, {
  description: 'true leaves out settings, users and teams',
  schema: { type: 'boolean', default: false },
});

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
export class RoutersController {
  constructor(
    private readonly read: RoutersService,
    private readonly routers: RoutersManagementService,
  ) {}

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

  /** The account's routers in creation order (clause 4.5). */
  @Get()
  @RequireScope('routers:read')
  @ApiOperation({
    summary: 'List routers',
    operationId: 'listRouters',
    description:
      'In creation order, with settings, users and teams unless `brief` is true: what is live, or the draft of one ' +
      'that never was.',
  })
  @ApiResponse({ status: 200, description: 'The routers', schema: reference('RouterList') })
  @ApiErrors(400, 401, 403)
  list(
    @Client() client: ClientContext,
    @QueryParameters({ limit, offset, after, archived, q, id, object_type, user, brief, expand })
    query: RouterPageRequest,
  ): Promise<Page<ListedRouter>> {
    return this.read.list(client, query);
  }

  /**
   * One router with flattened settings, users and teams (clause 4.5): the live version unless another is
   * asked for.
   */
  @Get(':routerId')
  @RequireScope('routers:read')
  @ApiOperation({
    summary: 'Read one router',
    operationId: 'readRouter',
    description: 'With its flat settings, its users and its teams.',
  })
  @ApiId('routerId')
  @ApiEntity('Router', 'The router')
  @ApiErrors(400, 401, 403, 404)
  get(
    @Client() client: ClientContext,
    @ValidRequest({ parameter: 'routerId', query: { version, expand } })
    { id, query }: RequestParts<RouterRequest, never>,
    @Entity(ENTITY) { present }: EntityAnswer,
  ): Promise<RouterView> {
    return this.read.get(client, id, query).then(present);
  }

  /** What was published of a router, newest first (contract section 6). */
  @Get(':routerId/versions')
  @RequireScope('directory:read', 'manage')
  @ApiOperation({
    summary: 'List the versions of a router',
    operationId: 'listRouterVersions',
    description: 'What was published of it, newest first: when, by whom, and the note that was given.',
  })
  @ApiId('routerId')
  @ApiResponse({ status: 200, description: 'The versions', schema: reference('RouterVersionList') })
  @ApiErrors(400, 401, 403, 404)
  listVersions(
    @Client() client: ClientContext,
    @Param('routerId') id: string,
    @QueryParameters({ limit, offset, after }) query: VersionPageRequest,
  ): Promise<Page<RouterVersionView>> {
    return this.read.listVersions(client, id, query);
  }

  /** One version, with the router as it was. */
  @Get(':routerId/versions/:version')
  @RequireScope('directory:read', 'manage')
  @NoQueryParameters()
  @ApiOperation({
    summary: 'Read one version of a router',
    operationId: 'readRouterVersion',
    description: 'With the router as it was.',
  })
  @ApiId('routerId')
  @ApiParam({ name: 'version', schema: integer(1) })
  @ApiResponse({ status: 200, description: 'The version', schema: reference('RouterVersion') })
  @ApiErrors(400, 401, 403, 404)
  getVersion(
    @Client() client: ClientContext,
    @Param('routerId') id: string,
    @Param('version') asked: string,
  ): Promise<RouterVersionItem> {
    return this.read.getVersion(client, id, asked);
  }
}
