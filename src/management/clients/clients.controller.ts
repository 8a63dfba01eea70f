import { Controller, HttpCode, Post } from '@nestjs/common';
import { MOST_OVERLAP, SCOPES } from '../../auth/index.js';
import { AuditedClient, RequireScope, type Caller } from '../../auth/http.js';
import {
  ApiBody,
  ApiErrors,
  ApiId,
  ApiOperation,
  ApiResponse,
  ApiTags,
  ARCHIVED,
  CHANGED_VALUES,
  closedObject,
  dry_run,
  ID,
  integer,
  NAME,
  reference,
  type RequestParts,
  type Schemas,
  text,
  ValidRequest,
} from '../../http/index.js';
import type { Tried } from '../change/changes.service.js';
import { editOf, managedController, optionalBody, type WriteQuery } from '../managed/managed.controller.js';
import { viewed, viewExample, type KindDocs } from '../managed/managed-docs.js';
import { ApiClientsService } from './api-clients.service.js';
import { ClientDto, RotationDto } from './client.dto.js';
import { ClientsKind, type CredentialsView } from './clients.kind.js';

const EXAMPLE = { name: 'CRM sync', scope: 'records:read records:write' };

const VALUES: Schemas = {
  name: NAME,
  scope: {
    type: 'string',
    maxLength: 1_000,
    pattern: '^[a-z: ]*$',
    description: `Space-separated. Known: ${SCOPES.join(' ')}; default: all but availability and manage`,
  },
};

/** What only the answer to what was written has, and that to a dry run. */
const SOMETIMES: Schemas = {
  client_secret: text('Shown once: the service keeps its hash. Not with `dry_run=true`: it would never work'),
  changes: CHANGED_VALUES,
};

const CREDENTIALS_EXAMPLE = {
  client_id: '019a8f2c-91d4-7f3a-8c55-0a1b2c3d4e5f',
  client_secret: 'mQ0v3Zr1YwXk8uT5sNf2LdGhJcPbEaRiOoKlMnBvCxZ',
};

const SHOWN: Schemas = {
  id: { ...ID, description: 'Its client_id' },
  archived: { ...ARCHIVED, description: 'When it was revoked' },
};

export const CLIENT_DOCS: KindDocs = {
  one: 'client',
  many: 'clients',
  notes: {
    create:
      'The secret is shown this once. The `id` is the `client_id` of token requests. Where the answer is lost, ' +
      'revoke the client that the list has, and create another.',
    update: 'Changes the keys that the body has. Tokens lose a scope that is taken away within 5 s.',
    archive: 'Revokes the client for good: its tokens stop working within 5 s.',
  },
  values: VALUES,
  required: ['name'],
  shown: SHOWN,
  example: EXAMPLE,
  created: 'CreatedClient',
  more: {
    CreatedClient: {
      ...closedObject(viewed({ ...VALUES, ...SHOWN, client_id: ID }), SOMETIMES),
      examples: [{ ...viewExample(EXAMPLE), ...CREDENTIALS_EXAMPLE }],
    },
    ClientCredentials: {
      ...closedObject({ client_id: ID }, SOMETIMES),
      examples: [CREDENTIALS_EXAMPLE],
    },
    ClientRotation: closedObject(
      {},
      {
        overlap_seconds: {
          ...integer(0, MOST_OVERLAP),
          description: 'For which the secret before works on; 0 unless given',
        },
      },
    ),
  },
};

/** `/clients` (contract section 6). A client that manages may create clients with scopes that it lacks. */
export const ClientsController = managedController({
  kind: ClientsKind,
  docs: CLIENT_DOCS,
  dto: ClientDto,
});

@ApiTags('Clients')
@Controller('clients')
@RequireScope('manage')
export class ClientRotationController {
  constructor(private readonly clients: ApiClientsService) {}

  /** Replaces the secret of a client. The new one works at once, and is shown this once. */
  @Post(':clientId/rotate')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Replace the secret of a client',
    operationId: 'rotateClient',
    description:
      'The new secret is shown this once, and works at once; the one before for `overlap_seconds` more. ' +
      'Without a body it stops at once. Where the answer is lost, replace the secret again: with an overlap, the ' +
      'one that the client has works until then.',
  })
  @ApiId('clientId')
  @ApiBody({
    schema: reference('ClientRotation'),
    required: false,
    examples: { example: { value: { overlap_seconds: 3600 } } },
  })
  @ApiResponse({ status: 200, description: 'Replaced', schema: reference('ClientCredentials') })
  @ApiErrors(400, 401, 403, 404, 409, 412, 413, 415)
  rotate(
    @AuditedClient() caller: Caller,
    @ValidRequest({
      parameter: 'clientId',
      query: { dry_run },
      preconditions: 'If-Match',
      body: optionalBody(RotationDto),
    })
    sent: RequestParts<WriteQuery, RotationDto>,
  ): Promise<CredentialsView & Tried> {
    const overlap = sent.body.overlap_seconds ?? 0;
    return this.clients.replaceSecret(caller, { ...editOf(sent), overlap });
  }
}
