import { Controller } from '@nestjs/common';
import { Client, type Caller } from '../../auth/http.js';
import {
  ApiTags,
  CHANGED_VALUES,
  closedObject,
  dry_run,
  ID,
  type RequestParts,
  type Schemas,
  text,
  ValidRequest,
} from '../../http/index.js';
import type { Tried } from '../change/changes.service.js';
import { dtoSchemas, viewExample, viewSchema } from '../managed/managed-docs.js';
import { editOf, optionalBody, Route, type WriteQuery } from '../managed/managed.controller.js';
import { ClientsKind, RotationDto, type CredentialsView } from './clients.kind.js';

const SECRET = text('Shown once: the service keeps its hash. Not with `dry_run=true`: it would never work');

const CREDENTIALS = {
  client_id: '019a8f2c-91d4-7f3a-8c55-0a1b2c3d4e5f',
  client_secret: 'mQ0v3Zr1YwXk8uT5sNf2LdGhJcPbEaRiOoKlMnBvCxZ',
};

/** Returns the schemas of credentials, which only some answers have. */
export function credentialSchemas(): Schemas {
  const about = { overlap_seconds: 'For which the secret before works on; 0 unless given' };
  return {
    CreatedClient: {
      ...viewSchema(ClientsKind.docs, { client_id: ID }, { client_secret: SECRET }),
      examples: [{ ...viewExample(ClientsKind.docs), ...CREDENTIALS }],
    },
    ClientCredentials: {
      ...closedObject({ client_id: ID }, { client_secret: SECRET, changes: CHANGED_VALUES }),
      examples: [CREDENTIALS],
    },
    ClientRotation: closedObject({}, dtoSchemas(RotationDto, about).values),
  };
}

/** Replaces secrets of clients (contract section 6). */
@ApiTags('Clients')
@Controller('clients')
export class ClientRotationController {
  constructor(private readonly clients: ClientsKind) {}

  @Route('post', ':clientId/rotate', {
    id: 'rotateClient',
    summary: 'Replace the secret of a client',
    description:
      'The new secret is shown this once, and works at once; the one before for `overlap_seconds` more. ' +
      'Without a body it stops at once. Where the answer is lost, replace the secret again: with an overlap, the ' +
      'one that the client has works until then.',
    body: { schema: 'ClientRotation', example: { overlap_seconds: 3600 }, required: false },
    answer: { schema: 'ClientCredentials', is: 'Replaced' },
    version: 'If-Match',
  })
  rotate(
    @Client() caller: Caller,
    @ValidRequest({
      parameter: 'clientId',
      query: { dry_run },
      preconditions: 'If-Match',
      body: optionalBody(RotationDto),
    })
    sent: RequestParts<WriteQuery, RotationDto>,
  ): Promise<CredentialsView & Tried> {
    const overlap = sent.body.overlap_seconds ?? 0;
    return this.clients.rotate(caller, { ...editOf(sent), overlap });
  }
}
