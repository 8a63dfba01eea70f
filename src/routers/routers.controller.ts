import { Controller, Get, Param } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiResponse, ApiTags } from '@nestjs/swagger';
import { Client, RequireScope, type ClientContext } from '../auth/index.js';
import {
  after,
  ApiAfter,
  ApiErrors,
  ApiPageQuery,
  archived,
  limit,
  NoQueryParameters,
  offset,
  QueryParameters,
  type Page,
} from '../http/index.js';
import type { RouterView } from './router-view.js';
import { RoutersService, type RouterPageRequest } from './routers.service.js';

@ApiTags('Routers')
@Controller('routers')
@RequireScope('routers:read')
export class RoutersController {
  constructor(private readonly routers: RoutersService) {}

  /** The account's routers in creation order (clause 4.5). */
  @Get()
  @ApiOperation({ summary: 'List routers', operationId: 'listRouters' })
  @ApiPageQuery()
  @ApiAfter()
  @ApiResponse({ status: 200, description: 'Done', schema: { $ref: '#/components/schemas/RouterList' } })
  @ApiErrors(400, 401, 403)
  list(
    @Client() client: ClientContext,
    @QueryParameters({ limit, offset, after, archived }) query: RouterPageRequest,
  ): Promise<Page<RouterView>> {
    return this.routers.list(client, query);
  }

  /** One router with flattened settings, users and teams (clause 4.5). */
  @Get(':routerId')
  @NoQueryParameters()
  @ApiOperation({ summary: 'Read one router', operationId: 'readRouter' })
  @ApiParam({ name: 'routerId', schema: { type: 'string', format: 'uuid' } })
  @ApiResponse({ status: 200, description: 'Done', schema: { $ref: '#/components/schemas/Router' } })
  @ApiErrors(400, 401, 403, 404)
  get(@Client() client: ClientContext, @Param('routerId') id: string): Promise<RouterView> {
    return this.routers.get(client, id);
  }
}
