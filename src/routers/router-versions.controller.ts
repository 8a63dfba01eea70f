import { Controller, Get, Param } from '@nestjs/common';
import type { ClientContext } from '../auth/index.js';
import { Client, RequireScope } from '../auth/http.js';
import {
  ApiErrors,
  ApiId,
  ApiOperation,
  ApiParam,
  ApiResponse,
  ApiTags,
  NoQueryParameters,
  type Page,
  QueryParameters,
  after,
  integer,
  limit,
  offset,
  reference,
} from '../http/index.js';
import type { RouterVersionItem, RouterVersionView } from './router-version-view.js';
import { RouterVersionsService, type VersionPageRequest } from './router-versions.service.js';

@ApiTags('Routers')
@Controller('routers/:routerId/versions')
@RequireScope('manage')
export class RouterVersionsController {
  constructor(private readonly versions: RouterVersionsService) {}

  /** What was published of a router, newest first (contract section 6). */
  @Get()
  @ApiOperation({
    summary: 'List the versions of a router',
    operationId: 'listRouterVersions',
    description: 'What was published of it, newest first: when, by whom, and the note that was given.',
  })
  @ApiId('routerId')
  @ApiResponse({ status: 200, description: 'The versions', schema: reference('RouterVersionList') })
  @ApiErrors(400, 401, 403, 404)
  list(
    @Client() client: ClientContext,
    @Param('routerId') id: string,
    @QueryParameters({ limit, offset, after }) query: VersionPageRequest,
  ): Promise<Page<RouterVersionView>> {
    return this.versions.list(client, id, query);
  }

  /** One version, with the router as it was. */
  @Get(':version')
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
  get(
    @Client() client: ClientContext,
    @Param('routerId') id: string,
    @Param('version') version: string,
  ): Promise<RouterVersionItem> {
    return this.versions.get(client, id, version);
  }
}
