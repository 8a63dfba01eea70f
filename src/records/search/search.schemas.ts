import { OBJECT_TYPES, type ObjectType } from '../../fields/index.js';
import {
  closedObject,
  integer,
  listOf,
  orNull,
  reference,
  text,
  type Schema,
  type Schemas,
} from '../../http/index.js';
import { PAGE_ROWS } from '../../paging/index.js';
import { EXPAND, PROPERTIES } from '../name-list.schemas.js';
import { viewExample } from '../record.examples.js';
import { schemaNames } from '../record.schemas.js';
import { MOST_CURSOR, MOST_SORTS } from './search.dto.js';

/** The name of the schema of the body of a search. */
export const SEARCH = 'RecordSearch';

/** The name of the schema of what a search finds: `ContactSearchPage`. */
export const foundName = (objectType: ObjectType): string => `${schemaNames(objectType).view}SearchPage`;

const CURSOR: Schema = { type: 'string', minLength: 1, maxLength: MOST_CURSOR, pattern: '^[A-Za-z0-9_-]+$' };

const FLAG = (description: string): Schema => ({ type: 'boolean', default: false, description });

const BODY = closedObject(
  {},
  {
    filter: reference('Trigger'),
    sort: {
      ...listOf(text('Internal name of a field', 100), MOST_SORTS),
      description:
        'With `-` for descending: numbers by size, options in their order, text alphabetically; empty fields come ' +
        'last, and the id decides between equals',
    },
    properties: PROPERTIES,
    expand: EXPAND,
    archived: FLAG('true finds archived ones too'),
    limit: { ...integer(1, PAGE_ROWS), default: 10, description: 'The most rows of the page' },
    after: { ...orNull(CURSOR), description: 'The `next` of the page before, with the same sort' },
    count: FLAG('true adds the exact count of all that match'),
  },
);

const PAGINATION = closedObject(
  {
    limit: integer(1, PAGE_ROWS),
    next: { ...orNull(CURSOR), description: '`after` for the next page; null on the last page' },
  },
  { count: { ...integer(0), description: 'All that match; only where it was asked for' } },
);

/** Returns the schemas of searches in the OpenAPI document. */
export function searchSchemas(): Schemas {
  const pages = OBJECT_TYPES.map((objectType) => {
    const { view } = schemaNames(objectType);
    const page = closedObject({
      data: listOf(reference(view), PAGE_ROWS),
      pagination: reference('SearchPagination'),
    });
    const example = { data: [viewExample(objectType)], pagination: { limit: 10, next: null, count: 1 } };
    return [foundName(objectType), { ...page, examples: [example] }] as const;
  });
  return { [SEARCH]: BODY, SearchPagination: PAGINATION, ...Object.fromEntries(pages) };
}
