import { Controller } from '@nestjs/common';
import type { ClientContext } from '../../auth/index.js';
import { Client } from '../../auth/http.js';
import { isId } from '../../database/index.js';
import {
  ApiTags,
  after,
  closedObject,
  described,
  ID,
  instant,
  integer,
  limit,
  listOf,
  NEXT,
  optionalText,
  orNull,
  ParameterError,
  QueryParameters,
  reference,
  type Schemas,
  text,
  TIME,
  wordOf,
} from '../../http/index.js';
import { PAGE_ROWS } from '../../paging/index.js';
import { CHANGED_KINDS, CHANGES } from '../change/configuration-change.js';
import { Route } from '../managed/managed.controller.js';
import { AuditService, type AuditPage, type AuditQuery } from './audit.service.js';

/** The id of an object, or a kind of them, that is sent at most once. Undefined where it is absent. */
const changedObject = described<string | undefined>(
  (raw, name, query) => {
    const sent = optionalText(raw, name, query);
    if (sent === undefined || isId(sent) || CHANGED_KINDS.some((kind) => kind === sent)) return sent;
    throw new ParameterError(`${name} must be the id of an object, or one of ${CHANGED_KINDS.join(', ')}`);
  },
  {
    description: 'Those of an object, by its id, or of all objects of a kind, such as `user`',
    schema: text('An id or a kind'),
  },
);

const QUERY = {
  object: changedObject,
  by: described(optionalText, {
    description:
      'Those of a client or a member, by the id, or of a command, by its name: `apply`, `client create`',
    schema: text('An id or a name'),
  }),
  from: instant('Those at this instant or later'),
  to: instant('Those before this instant'),
  limit,
  after,
};

@ApiTags('Audit')
@Controller('audit')
export class AuditController {
  constructor(private readonly audit: AuditService) {}

  /** Lists the changes of the account's configuration, newest first (contract section 6). */
  @Route('get', '', {
    id: 'listAudit',
    summary: 'List changes of the configuration',
    description:
      'Newest first: every change by a request or by a command, with each key that it changed. Secrets never.',
    answer: { schema: 'AuditPage', is: 'The changes' },
  })
  list(@Client() client: ClientContext, @QueryParameters(QUERY) query: AuditQuery): Promise<AuditPage> {
    return this.audit.list(client, query);
  }
}

const ENTRY_EXAMPLE = {
  id: '019a8f3e-2b7c-7d10-9e42-5f6a7b8c9d0e',
  at: '2026-06-10T21:05:06.789Z',
  by: { kind: 'client', id: '01a1fe1c-5be2-7aa0-8d0c-61ddf2f1a7d5', name: 'CRM sync' },
  action: 'update',
  object: { kind: 'user', id: '019a8f2c-91d4-7f3a-8c55-0a1b2c3d4e5f', name: 'ada@acme.test' },
  changes: [{ path: 'limits.day', from: 20, to: 40 }],
  request_id: '019a8f3e-2b7c-7d10-9e42-5f6a7b8c9d0f',
};

/** Returns the schemas of the audit in the OpenAPI document. */
export function auditSchemas(): Schemas {
  return {
    AuditEntry: closedObject({
      id: ID,
      at: TIME,
      by: closedObject({
        kind: wordOf(['client', 'user', 'command']),
        id: { ...orNull(ID), description: 'Of the client or the member; null for a command' },
        name: text(
          'Of the client, e-mail of the member, or of the command, such as `apply`; `APPLY_FILE` at a start of the service',
        ),
      }),
      action: wordOf(CHANGES, 'What was done'),
      object: closedObject({
        kind: wordOf(CHANGED_KINDS),
        id: ID,
        name: text('As the configuration calls it'),
      }),
      changes: listOf(reference('ValueChange')),
      request_id: orNull(text('The request that made the change', 128)),
    }),
    AuditPage: {
      ...closedObject({
        data: listOf(reference('AuditEntry'), PAGE_ROWS),
        pagination: closedObject({
          limit: integer(1, PAGE_ROWS),
          next: NEXT,
        }),
      }),
      examples: [{ data: [ENTRY_EXAMPLE], pagination: { limit: 10, next: null } }],
    },
  };
}
