import { Controller, Delete, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
import type { ClientContext } from '../../auth/index.js';
import { AuditedClient, Client, RequireScope, type Caller } from '../../auth/http.js';
import {
  ApiBody,
  ApiErrors,
  ApiId,
  ApiOperation,
  ApiResponse,
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
  reference,
} from '../../http/index.js';
import { documented } from '../change/documented.js';
import type { ListRequest } from '../change/list-request.js';
import { optionalBody } from '../change/optional-body.js';
import { ClientChangesDto } from './client-changes.dto.js';
import { ClientDto } from './client.dto.js';
import { CLIENT_EXAMPLE, ROTATION_EXAMPLE } from './client.schemas.js';
import type { ClientView, CredentialsView } from './client-view.js';
import { ClientsService } from './clients.service.js';
import { RotationDto } from './rotation.dto.js';

const documentation = documented({
  one: 'client',
  parameter: 'clientId',
  schema: 'Client',
  example: CLIENT_EXAMPLE,
  shown: CLIENT_EXAMPLE,
  created: 'CreatedClient',
  notes: {
    create: 'The secret is shown this once. The `id` is the `client_id` of token requests.',
    update: 'Changes the keys that the body has. Tokens lose a scope that is taken away within 5 s.',
    archive: 'Revokes the client for good: its tokens stop working within 5 s.',
  },
});

@ApiTags('Clients')
@Controller('clients')
@RequireScope('manage')
export class ClientsController {
  constructor(private readonly clients: ClientsService) {}

  /** The account's clients in creation order. */
  @Get()
  @documentation.List()
  list(
    @Client() client: ClientContext,
    @QueryParameters({ limit, offset, after, archived }) query: ListRequest,
  ): Promise<Page<ClientView>> {
    return this.clients.list(client, query);
  }

  /** Creates a client. Its secret is shown this once. It may have scopes that the caller lacks. */
  @Post()
  @documentation.Create()
  create(
    @AuditedClient() client: Caller,
    @ValidRequest({ body: dtoBody(ClientDto) }) { body }: RequestParts<never, ClientDto>,
    @LocatedAs('clients') located: Located,
  ): Promise<ClientView & CredentialsView> {
    return this.clients.create(client, body).then(located);
  }

  /** One client, revoked or not. */
  @Get(':clientId')
  @NoQueryParameters()
  @documentation.Read()
  get(@Client() client: ClientContext, @Param('clientId') id: string): Promise<ClientView> {
    return this.clients.get(client, id);
  }

  /** Changes the keys that the body has. Tokens lose a scope that is taken away within 5 s. */
  @Patch(':clientId')
  @documentation.Update()
  update(
    @AuditedClient() client: Caller,
    @ValidRequest({ parameter: 'clientId', body: dtoBody(ClientChangesDto) })
    { id, body: dto }: RequestParts<never, ClientChangesDto>,
  ): Promise<ClientView> {
    return this.clients.update(client, { id, dto });
  }

  /** Revokes a client. Its tokens stop working within 5 s. */
  @Delete(':clientId')
  @NoQueryParameters()
  @documentation.Archive()
  archive(@AuditedClient() client: Caller, @Param('clientId') id: string): Promise<ClientView> {
    return this.clients.archive(client, id);
  }

  /** Replaces the secret of a client. The new one works at once, and is shown this once. */
  @Post(':clientId/rotate')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Replace the secret of a client',
    operationId: 'rotateClient',
    description:
      'The new secret is shown this once, and works at once; the one before for `overlap_seconds` more. ' +
      'Without a body it stops at once.',
  })
  @ApiId('clientId')
  @ApiBody({
    schema: reference('ClientRotation'),
    required: false,
    examples: { example: { value: ROTATION_EXAMPLE } },
  })
  @ApiResponse({ status: 200, description: 'Replaced', schema: reference('ClientCredentials') })
  @ApiErrors(400, 401, 403, 404, 409, 413, 415)
  rotate(
    @AuditedClient() caller: Caller,
    @ValidRequest({ parameter: 'clientId', body: optionalBody(RotationDto) })
    { id, body: { overlap_seconds: overlap = 0 } }: RequestParts<never, RotationDto>,
  ): Promise<CredentialsView> {
    return this.clients.rotate(caller, { id, overlap });
  }
}
