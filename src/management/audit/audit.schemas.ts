import {
  closedObject,
  ID,
  integer,
  listOf,
  NEXT,
  orNull,
  reference,
  text,
  TIME,
  wordOf,
  type Schemas,
} from '../../http/index.js';
import { PAGE_ROWS } from '../../paging/index.js';
import { CHANGED_KINDS, CHANGES } from '../change/configuration-change.js';

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
        kind: wordOf(['client', 'command']),
        id: { ...orNull(ID), description: 'Of the client; null for a command' },
        name: text(
          'Of the client, or of the command, such as `apply`; `APPLY_FILE` at a start of the service',
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
