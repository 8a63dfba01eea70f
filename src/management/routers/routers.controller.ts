import { Controller, Param } from '@nestjs/common';
import type { ClientContext } from '../../auth/index.js';
import { Client, type Caller } from '../../auth/http.js';
import { OBJECT_TYPES } from '../../fields/index.js';
import {
  after,
  ApiParam,
  ApiTags,
  archived,
  described,
  dry_run,
  dtoBody,
  emptyBody,
  Entity,
  type EntityAnswer,
  integer,
  limit,
  NoQueryParameters,
  offset,
  oneOf,
  type Page,
  PartsOfRequest,
  q,
  QueryParameters,
  type RequestParts,
  several,
  ValidRequest,
  version,
} from '../../http/index.js';
import {
  NewRouterDto,
  PublishDto,
  RollbackDto,
  RouterChangesDto,
  type VersionChoice,
} from '../../routers/index.js';
import type { Tried } from '../change/changes.service.js';
import { textFilter } from '../managed/managed-docs.js';
import {
  editOf,
  flagParser,
  optionalBody,
  Route,
  type RouteOptions,
  type WriteQuery,
} from '../managed/managed.controller.js';
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

const COMPARED_VERSION = {
  schema: { type: 'string', maxLength: 10, pattern: '^(live|draft|[1-9]\\d{0,9})$' },
} as const;
const COMPARED = {
  from: described(version, {
    ...COMPARED_VERSION,
    description: '`live` (unless given), `draft` or a number',
  }),
  to: described((raw, name, query) => version(raw ?? 'draft', name, query), {
    ...COMPARED_VERSION,
    description: '`live`, `draft` (unless given) or a number',
  }),
};

const expand = oneOf(['status'], {
  description: '`status`: what they do now, what waits to be published, and what is wrong',
});
const LISTED = {
  limit,
  offset,
  after,
  archived,
  q,
  id: several('Those with one of these ids'),
  object_type: oneOf(OBJECT_TYPES, { description: 'Those of records of this type' }),
  user: textFilter(
    'Those that list a user, by the id or the e-mail: in a pool, in a team of one, or as the backup',
  ),
  brief: flagParser('true leaves out settings, users and teams'),
  expand,
};

/** What answers to most writes are: a router that was published, unless `shown` has something else. */
function answer(is: string, shown?: object, status?: number): RouteOptions['answer'] {
  return { schema: 'Router', is, status, example: shown && { ...ROUTER_SHOWN, ...shown } };
}
const NOT_PUBLISHED = { is_published: false };
const READERS = ['directory:read', 'manage'] as const;

type Answer = Promise<RouterView & Tried>;

/** The routes of routers (clause 4.5, contract section 6). */
@ApiTags('Routers')
@Controller('routers')
export class RoutersController {
  constructor(
    private readonly read: RoutersService,
    private readonly routers: RoutersManagementService,
  ) {}

  @Route('post', '', {
    id: 'createRouter',
    summary: 'Create a router, as a draft',
    description: 'Nobody runs it before it is published. `settings` may be left out until then.',
    body: {
      schema: 'NewRouter',
      example: {
        name: 'Nordic',
        object_type: 'contacts',
        settings: { overwrite: true, distribution_model: 'round robin' },
        users: [{ email: 'ada@demo.test' }],
        teams: [{ name: 'Sales' }],
      },
    },
    answer: answer('Created, and not published', NOT_PUBLISHED, 201),
    version: 'ETag',
  })
  create(
    @Client() client: Caller,
    @PartsOfRequest({ query: { dry_run }, body: dtoBody(NewRouterDto) })
    { query, ...sent }: RequestParts<WriteQuery, NewRouterDto>,
    @Entity({ ...ENTITY, path: 'collection' }) { created }: EntityAnswer,
  ): Answer {
    const router = this.routers.create(client, { sent, dryRun: query.dry_run });
    return query.dry_run ? router : router.then(created);
  }

  @Route('patch', ':routerId', {
    id: 'updateRouter',
    summary: 'Change the draft of a router',
    description:
      'Changes the keys that the body has, and of `settings` those that it has; `settings: null` takes all away. ' +
      '`users`, `teams`, `rules` and `steps` are whole lists. A draft begins with what is live.',
    body: { schema: 'RouterChanges', example: { settings: { default_user: 'ada@demo.test' } } },
    answer: answer('The draft. What is live stays as it is', NOT_PUBLISHED),
    version: 'both',
  })
  update(
    @Client() client: Caller,
    @PartsOfRequest({ ...WRITE, body: dtoBody(RouterChangesDto) })
    sent: RequestParts<WriteQuery, RouterChangesDto>,
    @Entity(ENTITY) { present }: EntityAnswer,
  ): Answer {
    return this.routers.update(client, { ...editOf(sent), sent }).then(present);
  }

  @Route('delete', ':routerId', {
    id: 'archiveRouter',
    summary: 'Archive a router',
    description: 'For good: it cannot become active again. Its name is free.',
    answer: answer('Archived', {
      archived: '2026-06-12T08:00:00.000Z',
      archived_by: '01a1fe1c-5be2-7aa0-8d0c-61ddf2f1a7d5',
    }),
    version: 'both',
  })
  archive(
    @Client() client: Caller,
    @ValidRequest(WRITE) sent: RequestParts<WriteQuery, never>,
    @Entity(ENTITY) { present }: EntityAnswer,
  ): Answer {
    return this.routers.archive(client, editOf(sent)).then(present);
  }

  @Route('post', ':routerId/publish', {
    id: 'publishRouter',
    summary: 'Make the draft of a router live, as its next version',
    description:
      'Dispatches follow it from now on, all at once. Refused where another version was published since the draft was begun: discard it then.',
    body: { schema: 'RouterPublication', example: { note: 'The new pool for spring' }, required: false },
    answer: answer(
      'What is live now. Nothing changes where the router is published and has no draft, and the note is not kept',
    ),
    version: 'both',
  })
  publish(
    @Client() client: Caller,
    @ValidRequest({ ...WRITE, body: optionalBody(PublishDto) }) sent: RequestParts<WriteQuery, PublishDto>,
    @Entity(ENTITY) { present }: EntityAnswer,
  ): Promise<RouterView & Tried & Warned> {
    return this.routers.publish(client, { ...editOf(sent), note: sent.body.note ?? null }).then(present);
  }

  @Route('post', ':routerId/unpublish', {
    id: 'unpublishRouter',
    summary: 'Take a router out of use',
    description: 'Its versions and its draft stay, and it can be published again.',
    answer: answer('What was live. Dispatches answer `The router is unpublished`', NOT_PUBLISHED),
    version: 'both',
  })
  unpublish(
    @Client() client: Caller,
    @ValidRequest({ ...WRITE, body: emptyBody }) sent: RequestParts<WriteQuery, undefined>,
    @Entity(ENTITY) { present }: EntityAnswer,
  ): Answer {
    return this.routers.unpublish(client, editOf(sent)).then(present);
  }

  @Route('post', ':routerId/rollback', {
    id: 'rollBackRouter',
    summary: 'Make an earlier version of a router live again, as its next version',
    description: 'Publishes a router that is unpublished. A draft stays, and cannot be published any more.',
    body: { schema: 'RouterRollback', example: { version: 1 } },
    answer: answer('What is live now. Nothing changes where that version is live'),
    version: 'both',
  })
  rollBack(
    @Client() client: Caller,
    @ValidRequest({ ...WRITE, body: dtoBody(RollbackDto) }) sent: RequestParts<WriteQuery, RollbackDto>,
    @Entity(ENTITY) { present }: EntityAnswer,
  ): Answer {
    return this.routers.rollBack(client, { ...editOf(sent), version: sent.body.version }).then(present);
  }

  @Route('delete', ':routerId/draft', {
    id: 'discardRouterDraft',
    summary: 'Discard the draft of a router',
    description: 'Refused for a router that was never published: its draft is all that it has.',
    answer: answer('What is live, of which nothing changes'),
    version: 'both',
  })
  discard(
    @Client() client: Caller,
    @ValidRequest(WRITE) sent: RequestParts<WriteQuery, never>,
    @Entity(ENTITY) { present }: EntityAnswer,
  ): Answer {
    return this.routers.discard(client, editOf(sent)).then(present);
  }

  @Route('get', ':routerId/diff', {
    id: 'compareRouterVersions',
    summary: 'Compare two versions of a router',
    description: 'The values in which `to` differs from `from`, as the audit tells them.',
    scopes: READERS,
    answer: { schema: 'RouterDiff', is: 'The differences' },
  })
  diff(
    @Client() client: ClientContext,
    @ValidRequest({ parameter: 'routerId', query: COMPARED })
    { id, query }: RequestParts<Readonly<Record<'from' | 'to', VersionChoice>>, never>,
  ): Promise<Tried> {
    return this.read.diff(client, id, query);
  }

  @Route('get', '', {
    id: 'listRouters',
    summary: 'List routers',
    description:
      'In creation order, with settings, users and teams unless `brief` is true: what is live, or the draft of one ' +
      'that never was.',
    scopes: ['routers:read'],
    answer: { schema: 'RouterList', is: 'The routers' },
  })
  list(
    @Client() client: ClientContext,
    @QueryParameters(LISTED) query: RouterPageRequest,
  ): Promise<Page<ListedRouter>> {
    return this.read.list(client, query);
  }

  @Route('get', ':routerId', {
    id: 'readRouter',
    summary: 'Read one router',
    description: 'With its flat settings, its users and its teams.',
    scopes: ['routers:read'],
    answer: { schema: 'Router', is: 'The router' },
    version: 'ETag',
  })
  get(
    @Client() client: ClientContext,
    @ValidRequest({ parameter: 'routerId', query: { version, expand } })
    { id, query }: RequestParts<RouterRequest, never>,
    @Entity(ENTITY) { present }: EntityAnswer,
  ): Promise<RouterView> {
    return this.read.get(client, id, query).then(present);
  }

  @Route('get', ':routerId/versions', {
    id: 'listRouterVersions',
    summary: 'List the versions of a router',
    description: 'What was published of it, newest first: when, by whom, and the note that was given.',
    scopes: READERS,
    answer: { schema: 'RouterVersionList', is: 'The versions' },
  })
  listVersions(
    @Client() client: ClientContext,
    @Param('routerId') id: string,
    @QueryParameters({ limit, offset, after }) query: VersionPageRequest,
  ): Promise<Page<RouterVersionView>> {
    return this.read.listVersions(client, id, query);
  }

  @Route('get', ':routerId/versions/:version', {
    id: 'readRouterVersion',
    summary: 'Read one version of a router',
    description: 'With the router as it was.',
    scopes: READERS,
    answer: { schema: 'RouterVersion', is: 'The version' },
  })
  @ApiParam({ name: 'version', schema: integer(1) })
  @NoQueryParameters()
  getVersion(
    @Client() client: ClientContext,
    @Param('routerId') id: string,
    @Param('version') asked: string,
  ): Promise<RouterVersionItem> {
    return this.read.getVersion(client, id, asked);
  }
}
