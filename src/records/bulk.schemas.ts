import { OBJECT_TYPES, type ObjectType } from '../fields/index.js';
import {
  closedObject,
  errorProperties,
  FAILING_FIELDS,
  ID,
  integer,
  listOf,
  orNull,
  reference,
  text,
  TIME,
  wordOf,
  type Schema,
  type Schemas,
} from '../http/index.js';
import { PAGE_ROWS } from '../paging/index.js';
import { capitalized } from '../text/capitalized.js';
import { BATCH_ACTIONS, BATCH_RULES, MOST_INPUTS, type BatchAction } from './batch/batch.dto.js';
import { CHANGE_CURSOR } from './record.parameters.js';
import { EXAMPLE_ID, viewExample } from './record.examples.js';
import { schemaNames } from './record.schemas.js';
import { MOST_EXPANDED } from './record-selection.js';
import { MOST_CURSOR, MOST_NAMES, MOST_SORTS } from './search/search.dto.js';

/** Schemas of the OpenAPI document for what has several records, or changes of one. */

const NAME = text('Internal name of a field', 100);

const PROPERTIES: Schema = {
  ...listOf(NAME, MOST_NAMES),
  description: 'Fields to return beside the default ones',
};

const EXPAND: Schema = {
  ...listOf(NAME, MOST_EXPANDED),
  description:
    'References to show as the records that they name. The query parameter `expand` says the same, and both count',
};

const SEARCH_CURSOR: Schema = {
  type: 'string',
  minLength: 1,
  maxLength: MOST_CURSOR,
  pattern: '^[A-Za-z0-9_-]+$',
};

const FLAG = (description: string): Schema => ({ type: 'boolean', default: false, description });

/** Returns the schemas of searches: the body, and what is found of each type. */
export function searchSchemas(): Schemas {
  const body = closedObject(
    {},
    {
      filter: reference('Trigger'),
      sort: {
        ...listOf(NAME, MOST_SORTS),
        description:
          'With `-` for descending: numbers by size, options in their order, text alphabetically; empty fields come ' +
          'last, and the id decides between equals',
      },
      properties: PROPERTIES,
      expand: EXPAND,
      archived: FLAG('true finds archived ones too'),
      limit: { ...integer(1, PAGE_ROWS), default: 10, description: 'The most rows of the page' },
      after: { ...orNull(SEARCH_CURSOR), description: 'The `next` of the page before, with the same sort' },
      count: FLAG('true adds the exact count of all that match'),
    },
  );
  const pagination = closedObject(
    {
      limit: integer(1, PAGE_ROWS),
      next: { ...orNull(SEARCH_CURSOR), description: '`after` for the next page; null on the last page' },
    },
    { count: { ...integer(0), description: 'All that match; only where it was asked for' } },
  );
  const pages = OBJECT_TYPES.map((objectType) => {
    const { view, found } = schemaNames(objectType);
    const page = closedObject({
      data: listOf(reference(view), PAGE_ROWS),
      pagination: reference('SearchPagination'),
    });
    const example = { data: [viewExample(objectType)], pagination: { limit: 10, next: null, count: 1 } };
    return [found, { ...page, examples: [example] }] as const;
  });
  return { RecordSearch: body, SearchPagination: pagination, ...Object.fromEntries(pages) };
}

const INPUT_PARTS: Readonly<Record<'id' | 'fields', Schema>> = {
  id: text('The id of a record; with `id_property`, the value of that key', 16_384),
  fields: { type: 'object', additionalProperties: true, description: 'As in a request of its own' },
};

function batchBody(action: BatchAction): Schema {
  const { keys, byKey } = BATCH_RULES[action];
  const input = closedObject(Object.fromEntries(keys.map((key) => [key, INPUT_PARTS[key]])));
  const named = { id_property: text('The unique key by which `id` names records', 100) };
  return closedObject(
    {
      inputs: { ...listOf(input, MOST_INPUTS), minItems: 1 },
      ...(byKey === 'always' ? named : {}),
    },
    {
      atomic: FLAG('true does all or nothing'),
      ...(byKey === 'maybe' ? named : {}),
      properties: PROPERTIES,
      ...(action === 'read' ? { expand: EXPAND } : {}),
    },
  );
}

function batchResults(objectType: ObjectType): Schema {
  const record = reference(schemaNames(objectType).view);
  const index = { ...integer(0, MOST_INPUTS - 1), description: 'Of the input' };
  const done = { index, status: { ...integer(200, 201), enum: [200, 201] }, record };
  const refused = { index, status: integer(400, 499), ...errorProperties() };
  const entries = [
    { title: 'Done', ...closedObject(done) },
    { title: 'Refused', ...closedObject(refused, FAILING_FIELDS) },
  ];
  const example = { results: [{ index: 0, status: 200, record: viewExample(objectType) }] };
  return { ...closedObject({ results: listOf({ oneOf: entries }, MOST_INPUTS) }), examples: [example] };
}

/** Returns the schemas of batches: the body of each action, and the results of each type. */
export function batchSchemas(): Schemas {
  return Object.fromEntries([
    ...BATCH_ACTIONS.map((action) => [`Batch${capitalized(action)}`, batchBody(action)]),
    ...OBJECT_TYPES.map((objectType) => [schemaNames(objectType).results, batchResults(objectType)]),
  ]) as Schemas;
}

/** A long field takes 256 KiB. */
const changedValue = (description: string): Schema => ({
  ...text(`${description}; null for none. Only \`archived\` has true and false`, 256 * 1024),
  type: ['string', 'boolean', 'null'],
});

const ROUTED = {
  field: 'contact_owner',
  from: null,
  to: 'ada@acme.test',
  at: '2026-06-10T21:05:06.789Z',
  by: { kind: 'router', id: EXAMPLE_ID, name: 'Inbound' },
  assignment_id: '019a8f3e-2b7c-7d10-9e42-5f6a7b8c9d0e',
  request_id: '019a8f3e-2b7c-7d10-9e42-5f6a7b8c9d0f',
};

/** Returns the schemas of histories. */
export function historySchemas(): Schemas {
  const author = closedObject({
    kind: wordOf(
      ['client', 'user', 'router', 'import', 'system'],
      'A client, a router that has assigned the record, the command `import`, or something else, such as SQL',
    ),
    id: { ...orNull(ID), description: 'Of the client or the router; null for others' },
    name: orNull(text('The name that the client or the router has now; that of the kind for others')),
  });
  const change = closedObject({
    field: text('Internal name; `archived` of archiving and restoring', 200),
    from: changedValue('The value before'),
    to: changedValue('The value afterwards'),
    at: TIME,
    by: author,
    assignment_id: { ...orNull(ID), description: 'The entry of the log, of a change by a router' },
    request_id: orNull(text('The request that made the change; null for a command', 1_000)),
  });
  const page = closedObject({
    data: listOf(reference('RecordChange'), PAGE_ROWS),
    pagination: closedObject({
      limit: integer(1, PAGE_ROWS),
      next: { ...orNull(CHANGE_CURSOR), description: '`after` for the next page; null on the last page' },
    }),
  });
  const example = { data: [ROUTED], pagination: { limit: 10, next: null } };
  return { RecordChange: change, RecordHistoryPage: { ...page, examples: [example] } };
}
