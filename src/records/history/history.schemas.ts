import {
  closedObject,
  described,
  ID,
  integer,
  listOf,
  optionalText,
  orNull,
  ParameterError,
  reference,
  text,
  TIME,
  wordOf,
  type Schema,
  type Schemas,
} from '../../http/index.js';
import { NO_CURSOR, PAGE_ROWS } from '../../paging/index.js';
import { changeOfCursor, MOST_CURSOR, type ChangePlace } from './change-cursor.js';

/** The name of the schema of a page of a history. */
export const HISTORY_PAGE = 'RecordHistoryPage';

const CHANGE_CURSOR: Schema = {
  type: 'string',
  minLength: 1,
  maxLength: MOST_CURSOR,
  pattern: '^[A-Za-z0-9_-]+$',
};

/** A long field takes 256 KiB. */
const MOST_TEXT = 256 * 1024;

const value = (description: string): Schema => ({
  ...text(`${description}; null for none. Only \`archived\` has true and false`, MOST_TEXT),
  type: ['string', 'boolean', 'null'],
});

const ROUTED = {
  field: 'contact_owner',
  from: null,
  to: 'ada@acme.test',
  at: '2026-06-10T21:05:06.789Z',
  by: { kind: 'router', id: '019a8f2c-91d4-7f3a-8c55-0a1b2c3d4e5f', name: 'Inbound' },
  assignment_id: '019a8f3e-2b7c-7d10-9e42-5f6a7b8c9d0e',
  request_id: '019a8f3e-2b7c-7d10-9e42-5f6a7b8c9d0f',
};
/** Returns the schemas of histories in the OpenAPI document. */
export function historySchemas(): Schemas {
  const author = closedObject({
    kind: wordOf(
      ['client', 'router', 'import', 'system'],
      'A client, a router that has assigned the record, the command `import`, or something else, such as SQL',
    ),
    id: { ...orNull(ID), description: 'Of the client or the router; null for others' },
    name: orNull(text('The name that the client or the router has now; that of the kind for others')),
  });
  return {
    RecordChange: closedObject({
      field: text('Internal name; `archived` of archiving and restoring', 200),
      from: value('The value before'),
      to: value('The value afterwards'),
      at: TIME,
      by: author,
      assignment_id: { ...orNull(ID), description: 'The entry of the log, of a change by a router' },
      request_id: orNull(text('The request that made the change; null for a command', 1_000)),
    }),
    [HISTORY_PAGE]: {
      ...closedObject({
        data: listOf(reference('RecordChange'), PAGE_ROWS),
        pagination: closedObject({
          limit: integer(1, PAGE_ROWS),
          next: { ...orNull(CHANGE_CURSOR), description: '`after` for the next page; null on the last page' },
        }),
      }),
      examples: [{ data: [ROUTED], pagination: { limit: 10, next: null } }],
    },
  };
}

/** `after` of a history: the `next` of another page. Undefined where it is absent. */
export const afterChange = described<ChangePlace | undefined>(
  (raw, name, query) => {
    const cursor = optionalText(raw, name, query);
    if (cursor === undefined) return undefined;
    const place = changeOfCursor(cursor);
    if (place === undefined) throw new ParameterError(`${name} ${NO_CURSOR}`);
    return place;
  },
  {
    schema: CHANGE_CURSOR,
    description:
      'The `next` of the page before. A page ends early, with fewer changes than `limit`, where its answer ' +
      'would exceed 10 MiB.',
  },
);

/** `field` of a history. Undefined where it is absent. */
export const changedField = described(optionalText, {
  description: 'Changes of this field: one of the type, the assigned date of a user field, or `archived`',
  schema: text('Internal name', 200),
});
