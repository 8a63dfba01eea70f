import { Controller, Get, Param } from '@nestjs/common';
import type { ClientContext } from '../auth/index.js';
import { Client, RequireScope } from '../auth/http.js';
import {
  ApiErrors,
  ApiId,
  ApiOperation,
  ApiResponse,
  ApiTags,
  type Page,
  QueryParameters,
  after,
  archived,
  limit,
  offset,
  reference,
  version,
} from '../http/index.js';
import type { VersionChoice } from './router-version-reader.js';
import type { RouterView } from './router-view.js';
import { RoutersService, type RouterPageRequest } from './routers.service.js';

@ApiTags('Routers')
@Controller('routers')
@RequireScope('routers:read')
export class RoutersController {
  constructor(private readonly routers: RoutersService) {}

  /** The account's routers in creation order (clause 4.5). */
  @Get()
  @ApiOperation({
    summary: 'List routers',
    operationId: 'listRouters',
    description:
      'In creation order, with settings, users and teams: what is live, or the draft of one that never was.',
  })
  @ApiResponse({ status: 200, description: 'The routers', schema: reference('RouterList') })
  @ApiErrors(400, 401, 403)
  list(
    @Client() client: ClientContext,
    @QueryParameters({ limit, offset, after, archived }) query: RouterPageRequest,
  ): Promise<Page<RouterView>> {
    return this.routers.list(client, query);
  }

  /**
   * One router with flattened settings, users and teams (clause 4.5): the live version unless another is
   * asked for.
   */
  @Get(':routerId')
  @ApiOperation({
    summary: 'Read one router',
    operationId: 'readRouter',
    description: 'With its flat settings, its users and its teams.',
  })
  @ApiId('routerId')
  @ApiResponse({ status: 200, description: 'The router', schema: reference('Router') })
  @ApiErrors(400, 401, 403, 404)
  get(
    @Client() client: ClientContext,
    @Param('routerId') id: string,
    @QueryParameters({ version }) query: { readonly version: VersionChoice },
  ): Promise<RouterView> {
    return this.routers.get(client, id, query.version);
  }
}
