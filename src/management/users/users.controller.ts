import { Controller, Delete, Get, Param, Patch, Post, UseGuards } from '@nestjs/common';
import type { ClientContext } from '../../auth/index.js';
import { AuditedClient, Client, RequireScope, type Caller } from '../../auth/http.js';
import { UserDto } from '../../directory/index.js';
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
  described,
  dtoBody,
  flag,
  limit,
  offset,
} from '../../http/index.js';
import { documented } from '../change/documented.js';
import type { ListRequest } from '../change/list-request.js';
import { AvailabilityGuard } from './availability.guard.js';
import { UserChangesDto } from './user-changes.dto.js';
import { USER_EXAMPLE, USER_IN_USE, USER_SHOWN } from './user.schemas.js';
import type { UserView } from './user-view.js';
import { UsersService } from './users.service.js';

const user = documented({
  one: 'user',
  parameter: 'userId',
  schema: 'User',
  example: USER_EXAMPLE,
  notes: {
    create:
      'An archived user with the e-mail becomes active again, under the same id: what the body leaves out is as it was.',
    update:
      'Changes the keys that the body has. Another `email` stands at once wherever the user is named. ' +
      'With the scope `availability`, a body must have the key `available` alone.',
    archive: 'Refused while the user owns active records or a router lists them, unless `orphan` is true.',
  },
  shown: USER_SHOWN,
});

const orphan = described(flag, {
  schema: { type: 'boolean', default: false },
  description:
    'true archives a user who owns records or whom routers list. Records keep naming the user; routers do not',
});

@ApiTags('Users')
@Controller('users')
export class UsersController {
  constructor(private readonly users: UsersService) {}

  /** The account's users in creation order. */
  @Get()
  @RequireScope('manage')
  @user.List()
  list(
    @Client() client: ClientContext,
    @QueryParameters({ limit, offset, after, archived }) query: ListRequest,
  ): Promise<Page<UserView>> {
    return this.users.list(client, query);
  }

  /** Creates a user. An archived user with the e-mail becomes active again, under the same id. */
  @Post()
  @RequireScope('manage')
  @user.Create()
  create(
    @AuditedClient() client: Caller,
    @ValidRequest({ body: dtoBody(UserDto) }) { body }: RequestParts<never, UserDto>,
    @LocatedAs('users') located: Located,
  ): Promise<UserView> {
    return this.users.create(client, body).then(located);
  }

  /** One user, archived or not. */
  @Get(':userId')
  @RequireScope('manage')
  @NoQueryParameters()
  @user.Read()
  get(@Client() client: ClientContext, @Param('userId') id: string): Promise<UserView> {
    return this.users.get(client, id);
  }

  /** Changes the keys that the body has. The scope `availability` is enough for `available` alone. */
  @Patch(':userId')
  @RequireScope('manage', 'availability')
  @UseGuards(AvailabilityGuard)
  @user.Update()
  update(
    @AuditedClient() client: Caller,
    @ValidRequest({ parameter: 'userId', body: dtoBody(UserChangesDto) })
    { id, body: dto }: RequestParts<never, UserChangesDto>,
  ): Promise<UserView> {
    return this.users.update(client, { id, dto });
  }

  /** Archives a user, whom neither records nor routers may name unless `orphan` is true. */
  @Delete(':userId')
  @RequireScope('manage')
  @user.Archive(USER_IN_USE)
  archive(
    @AuditedClient() client: Caller,
    @ValidRequest({ parameter: 'userId', query: { orphan } })
    { id, query }: RequestParts<{ readonly orphan: boolean }, never>,
  ): Promise<UserView> {
    return this.users.archive(client, { id, orphan: query.orphan });
  }
}
