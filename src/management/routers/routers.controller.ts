import { Controller, Get, Param } from '@nestjs/common';
import type { ClientContext } from '../../auth/index.js';
import { Client, RequireScope } from '../../auth/http.js';
import {
  ApiEntity,
  ApiErrors,
  ApiId,
  ApiOperation,
  ApiParam,
  ApiResponse,
  ApiTags,
  Entity,
  type EntityAnswer,
  NoQueryParameters,
  type Page,
  QueryParameters,
  type RequestParts,
  ValidRequest,
  after,
  archived,
  described,
  flag,
  integer,
  limit,
  NAME,
  offset,
  oneOf,
  optionalText,
  q,
  reference,
  several,
  version,
} from '../../http/index.js';
import { OBJECT_TYPES } from '../../fields/index.js';
import {
  routerVersionOf,
  type RouterVersionItem,
  type RouterVersionView,
  type RouterView,
} from './router-view.js';
import {
  RoutersService,
  type ListedRouter,
  type RouterPageRequest,
  type RouterRequest,
  type VersionPageRequest,
} from './routers.service.js';

const ROUTER_ENTITY = { name: 'routers', versionOf: routerVersionOf };

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

@ApiTags('Routers')
@Controller('routers')
export class RoutersController {
  constructor(private readonly routers: RoutersService) {}

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
    return this.routers.list(client, query);
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
    @Entity(ROUTER_ENTITY) { present }: EntityAnswer,
  ): Promise<RouterView> {
    return this.routers.get(client, id, query).then(present);
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
    return this.routers.listVersions(client, id, query);
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
    return this.routers.getVersion(client, id, asked);
  }
}
