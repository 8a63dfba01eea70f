import { Controller, Delete, Get, Param, Patch, Post } from '@nestjs/common';
import type { ClientContext } from '../../auth/index.js';
import { AuditedClient, Client, RequireScope, type Caller } from '../../auth/http.js';
import { CapacityDto } from '../../capacities/index.js';
import {
  ApiTags,
  type Located,
  LocatedAs,
  NoQueryParameters,
  type Page,
  QueryParameters,
  type RequestParts,
  ValidRequest,
  after,
  archived,
  dtoBody,
  limit,
  offset,
} from '../../http/index.js';
import { documented } from '../change/documented.js';
import type { ListRequest } from '../change/list-request.js';
import { CapacityChangesDto } from './capacity-changes.dto.js';
import { CAPACITY_EXAMPLE } from './capacity.schemas.js';
import type { CapacityView } from './capacity-view.js';
import { CapacitiesService } from './capacities.service.js';

const capacity = documented({
  one: 'capacity',
  many: 'capacities',
  parameter: 'capacityId',
  schema: 'Capacity',
  example: CAPACITY_EXAMPLE,
  notes: {
    create: 'Holds for every router of its object type from the next dispatch on.',
    update: 'Changes the keys that the body has: `values`, `users` and `teams` are whole lists.',
    archive: 'It no longer binds any router.',
  },
  shown: CAPACITY_EXAMPLE,
});

@ApiTags('Capacities')
@Controller('capacities')
@RequireScope('manage')
export class CapacitiesController {
  constructor(private readonly capacities: CapacitiesService) {}

  /** The account's capacities in creation order. */
  @Get()
  @capacity.List()
  list(
    @Client() client: ClientContext,
    @QueryParameters({ limit, offset, after, archived }) query: ListRequest,
  ): Promise<Page<CapacityView>> {
    return this.capacities.list(client, query);
  }

  /** Creates a capacity. */
  @Post()
  @capacity.Create()
  create(
    @AuditedClient() client: Caller,
    @ValidRequest({ body: dtoBody(CapacityDto) }) { body }: RequestParts<never, CapacityDto>,
    @LocatedAs('capacities') located: Located,
  ): Promise<CapacityView> {
    return this.capacities.create(client, body).then(located);
  }

  /** One capacity, archived or not. */
  @Get(':capacityId')
  @NoQueryParameters()
  @capacity.Read()
  get(@Client() client: ClientContext, @Param('capacityId') id: string): Promise<CapacityView> {
    return this.capacities.get(client, id);
  }

  /** Changes the keys that the body has. */
  @Patch(':capacityId')
  @capacity.Update()
  update(
    @AuditedClient() client: Caller,
    @ValidRequest({ parameter: 'capacityId', body: dtoBody(CapacityChangesDto) })
    { id, body: dto }: RequestParts<never, CapacityChangesDto>,
  ): Promise<CapacityView> {
    return this.capacities.update(client, { id, dto });
  }

  /** Archives a capacity. It no longer binds any router. */
  @Delete(':capacityId')
  @NoQueryParameters()
  @capacity.Archive()
  archive(@AuditedClient() client: Caller, @Param('capacityId') id: string): Promise<CapacityView> {
    return this.capacities.archive(client, id);
  }
}
