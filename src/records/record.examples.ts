import { OBJECT_TYPE_RULES, type ObjectType } from '../fields/index.js';
import type { BatchAction } from './batch/batch.dto.js';

/** What requests that create records send in `fields`. */
const FIELDS: Readonly<Record<ObjectType, Readonly<Record<string, string | number | object>>>> = {
  contacts: {
    first_name: 'Edith',
    last_name: 'Clarke',
    email: 'edith@example.com',
    country: 'Norway',
    lifecycle_stage: 'lead',
  },
  companies: {
    company_name: 'Example Ltd',
    website_url: 'https://www.example.com/about',
    industry: 'Publishing',
    number_of_employees: 40,
  },
  deals: {
    deal_name: 'Renewal 2027',
    pipeline: 'default',
    deal_stage: 'new',
    amount: '12500.50',
    close_date: '2027-01-31',
    company: { website_url: 'example.com' },
  },
  tickets: {
    ticket_name: 'Cannot sign in',
    pipeline: 'default',
    ticket_stage: 'new',
    description: 'Since this morning the page stays empty.',
  },
};

/** Returns the bodies of the requests that write an object type. */
export function writeExamples(objectType: ObjectType): Readonly<Record<'create' | 'change', object>> {
  const fields = FIELDS[objectType];
  const { uniqueKeys } = OBJECT_TYPE_RULES[objectType];
  const others = Object.entries(fields).filter(([name]) => !uniqueKeys.includes(name));
  return { create: { fields }, change: { fields: Object.fromEntries(others) } };
}

/** The id of the record of the examples. */
export const EXAMPLE_ID = '019a8f2c-91d4-7f3a-8c55-0a1b2c3d4e5f';

/** The key by which the example of an upsert names its record. */
export const UPSERT_KEY = { property: 'external_id', value: 'crm-1042' };

/** Returns what an answer shows of the record that `writeExamples` creates. */
export function viewExample(objectType: ObjectType): object {
  const { defaultFields } = OBJECT_TYPE_RULES[objectType];
  const create = FIELDS[objectType];
  return {
    id: EXAMPLE_ID,
    ...Object.fromEntries(defaultFields.map((name) => [name, create[name] ?? null])),
    created_at: '2026-06-10T21:05:06.789Z',
    updated_at: '2026-06-10T21:05:06.789Z',
    archived: false,
  };
}

/** Returns the body of a batch. */
export function batchExample(objectType: ObjectType, action: BatchAction): object {
  const { change } = writeExamples(objectType);
  if (action === 'create') return { inputs: [change], atomic: true };
  if (action === 'restore') return { inputs: [{ id: EXAMPLE_ID }] };
  const input = { id: UPSERT_KEY.value, ...(action === 'update' || action === 'upsert' ? change : {}) };
  return { inputs: [input], id_property: UPSERT_KEY.property };
}

/** Returns the body of a search. */
export function searchExample(objectType: ObjectType): object {
  const [first = 'id'] = OBJECT_TYPE_RULES[objectType].defaultFields;
  const { ownerField } = OBJECT_TYPE_RULES[objectType];
  const conditions = [
    { field: ownerField, operator: 'is_empty' },
    { field: 'create_date', operator: 'gte', value: '2026-01-01' },
  ];
  return {
    filter: { groups: [{ conditions }] },
    sort: [first, '-last_modified_date'],
    limit: 20,
    count: true,
  };
}
