import { Controller, Delete, Get, Param, Patch, Post } from '@nestjs/common';
import type { ClientContext } from '../../auth/index.js';
import { AuditedClient, Client, RequireScope, type Caller } from '../../auth/http.js';
import { TeamDto } from '../../directory/index.js';
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
import { TeamChangesDto } from './team-changes.dto.js';
import { TEAM_EXAMPLE } from './team.schemas.js';
import type { TeamView } from './team-view.js';
import { TeamsService } from './teams.service.js';

const team = documented({
  one: 'team',
  parameter: 'teamId',
  schema: 'Team',
  example: TEAM_EXAMPLE,
  notes: {
    create:
      'An archived team with the name becomes active again, under the same id: what the body leaves out is as it was.',
    update: 'Changes the keys that the body has: `members` is the whole list. Routers follow another `name`.',
    archive: 'Refused while a router or a capacity names the team.',
  },
  shown: TEAM_EXAMPLE,
});

@ApiTags('Teams')
@Controller('teams')
@RequireScope('manage')
export class TeamsController {
  constructor(private readonly teams: TeamsService) {}

  /** The account's teams in creation order. */
  @Get()
  @team.List()
  list(
    @Client() client: ClientContext,
    @QueryParameters({ limit, offset, after, archived }) query: ListRequest,
  ): Promise<Page<TeamView>> {
    return this.teams.list(client, query);
  }

  /** Creates a team. An archived team with the name becomes active again, under the same id. */
  @Post()
  @team.Create()
  create(
    @AuditedClient() client: Caller,
    @ValidRequest({ body: dtoBody(TeamDto) }) { body }: RequestParts<never, TeamDto>,
    @LocatedAs('teams') located: Located,
  ): Promise<TeamView> {
    return this.teams.create(client, body).then(located);
  }

  /** One team, archived or not. */
  @Get(':teamId')
  @NoQueryParameters()
  @team.Read()
  get(@Client() client: ClientContext, @Param('teamId') id: string): Promise<TeamView> {
    return this.teams.get(client, id);
  }

  /** Changes the keys that the body has. A new name replaces the old one in the rules of routers. */
  @Patch(':teamId')
  @team.Update()
  update(
    @AuditedClient() client: Caller,
    @ValidRequest({ parameter: 'teamId', body: dtoBody(TeamChangesDto) })
    { id, body: dto }: RequestParts<never, TeamChangesDto>,
  ): Promise<TeamView> {
    return this.teams.update(client, { id, dto });
  }

  /** Archives a team that no router and no capacity names. */
  @Delete(':teamId')
  @NoQueryParameters()
  @team.Archive()
  archive(@AuditedClient() client: Caller, @Param('teamId') id: string): Promise<TeamView> {
    return this.teams.archive(client, id);
  }
}
