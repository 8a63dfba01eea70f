import { Controller, Delete, Param, Patch, Post } from '@nestjs/common';
import { AuditedClient, RequireScope, type Caller } from '../../auth/http.js';
import {
  ApiTags,
  type Located,
  LocatedAs,
  NoQueryParameters,
  PartsOfRequest,
  type RequestParts,
  ValidRequest,
  dtoBody,
  emptyBody,
} from '../../http/index.js';
import type { RouterView } from '../../routers/index.js';
import { optionalBody } from '../change/optional-body.js';
import { NewRouterDto, PublishDto, RollbackDto, RouterChangesDto } from './router-bodies.dto.js';
import * as documented from './router.documentation.js';
import { RoutersManagementService } from './routers-management.service.js';

const parameter = 'routerId';

@ApiTags('Routers')
@Controller('routers')
@RequireScope('manage')
export class RoutersManagementController {
  constructor(private readonly routers: RoutersManagementService) {}

  /** Creates a router. Nobody runs it before it is published (contract section 6). */
  @Post()
  @documented.Create()
  create(
    @AuditedClient() client: Caller,
    @PartsOfRequest({ body: dtoBody(NewRouterDto) }) sent: RequestParts<never, NewRouterDto>,
    @LocatedAs('routers') located: Located,
  ): Promise<RouterView> {
    return this.routers.create(client, sent).then(located);
  }

  /** Changes the draft of a router; what is live stays as it is until the draft is published. */
  @Patch(':routerId')
  @documented.Update()
  update(
    @AuditedClient() client: Caller,
    @PartsOfRequest({ parameter, body: dtoBody(RouterChangesDto) })
    { id, ...what }: RequestParts<never, RouterChangesDto>,
  ): Promise<RouterView> {
    return this.routers.update(client, { id, what });
  }

  /** Archives a router. Its name is free again. */
  @Delete(':routerId')
  @NoQueryParameters()
  @documented.Archive()
  archive(@AuditedClient() client: Caller, @Param(parameter) id: string): Promise<RouterView> {
    return this.routers.archive(client, id);
  }

  /** Makes the draft live with the next dispatch, all at once. */
  @Post(':routerId/publish')
  @documented.Publish()
  publish(
    @AuditedClient() client: Caller,
    @ValidRequest({ parameter, body: optionalBody(PublishDto) })
    { id, body }: RequestParts<never, PublishDto>,
  ): Promise<RouterView> {
    return this.routers.publish(client, { id, what: body.note ?? null });
  }

  /** Takes a router out of use with the next dispatch. */
  @Post(':routerId/unpublish')
  @documented.Unpublish()
  unpublish(
    @AuditedClient() client: Caller,
    @ValidRequest({ parameter, body: emptyBody }) { id }: RequestParts<never, undefined>,
  ): Promise<RouterView> {
    return this.routers.unpublish(client, id);
  }

  /** Makes an earlier version live again with the next dispatch, all at once. */
  @Post(':routerId/rollback')
  @documented.RollBack()
  rollBack(
    @AuditedClient() client: Caller,
    @ValidRequest({ parameter, body: dtoBody(RollbackDto) })
    { id, body }: RequestParts<never, RollbackDto>,
  ): Promise<RouterView> {
    return this.routers.rollBack(client, { id, what: body.version });
  }

  /** Discards the draft. */
  @Delete(':routerId/draft')
  @NoQueryParameters()
  @documented.Discard()
  discard(@AuditedClient() client: Caller, @Param(parameter) id: string): Promise<RouterView> {
    return this.routers.discard(client, id);
  }
}
