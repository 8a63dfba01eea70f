import { Controller, Get, Param } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { ClientContext } from '../auth/index.js';
import { Client, RequireScope } from '../auth/http.js';
import {
  after,
  ApiAfter,
  ApiErrors,
  ApiPageRange,
  limit,
  NoQueryParameters,
  offset,
  type Page,
  QueryParameters,
} from '../http/index.js';
import type { RouterVersionItem, RouterVersionView } from './router-version-view.js';
import { RouterVersionsService, type VersionPageRequest } from './router-versions.service.js';

const ID = { name: 'routerId', schema: { type: 'string', format: 'uuid' } } as const;

@ApiTags('Routers')
@Controller('routers/:routerId/versions')
@RequireScope('manage')
export class RouterVersionsController {
  constructor(private readonly versions: RouterVersionsService) {}

  /** What was published of a router, newest first (contract section 6). */
  @Get()
  @ApiOperation({ summary: 'List the versions of a router', operationId: 'listRouterVersions' })
  @ApiParam(ID)
  @ApiPageRange()
  @ApiAfter()
  @ApiResponse({
    status: 200,
    description: 'Done',
    schema: { $ref: '#/components/schemas/RouterVersionList' },
  })
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
  @ApiOperation({ summary: 'Read one version of a router', operationId: 'readRouterVersion' })
  @ApiParam(ID)
  @ApiParam({ name: 'version', schema: { type: 'integer', minimum: 1 } })
  @ApiResponse({ status: 200, description: 'Done', schema: { $ref: '#/components/schemas/RouterVersion' } })
  @ApiErrors(400, 401, 403, 404)
  get(
    @Client() client: ClientContext,
    @Param('routerId') id: string,
    @Param('version') version: string,
  ): Promise<RouterVersionItem> {
    return this.versions.get(client, id, version);
  }
}
