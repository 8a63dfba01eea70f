import { OBJECT_TYPE_RULES, type ObjectType } from '../fields/index.js';
import type { BatchAction } from './batch/batch-action.js';

/** What requests of an object type send in `fields`, for the OpenAPI document. */
interface Bodies {
  readonly create: Readonly<Record<string, string | number | object>>;
  readonly update: Readonly<Record<string, string | number | object>>;
}

const BODIES: Readonly<Record<ObjectType, Bodies>> = {
  contacts: {
    create: {
      first_name: 'Edith',
      last_name: 'Clarke',
      email: 'edith@example.com',
      country: 'Norway',
      lifecycle_stage: 'lead',
    },
    update: { job_title: 'Head of Procurement', lifecycle_stage: 'customer' },
  },
  companies: {
    create: {
      company_name: 'Example Ltd',
      website_url: 'https://www.example.com/about',
      industry: 'Publishing',
      number_of_employees: 40,
    },
    update: { number_of_employees: 45, annual_revenue: '1250000.50' },
  },
  deals: {
    create: {
      deal_name: 'Renewal 2027',
      pipeline: 'default',
      deal_stage: 'new',
      amount: 12500,
      close_date: '2027-01-31',
      company: { website_url: 'example.com' },
    },
    update: { amount: '13200.50' },
  },
  tickets: {
    create: {
      ticket_name: 'Cannot sign in',
      pipeline: 'default',
      ticket_stage: 'new',
      description: 'Since this morning the page stays empty.',
    },
    update: { description: 'Since this morning the page stays empty, in every browser.' },
  },
};

/** Returns the bodies of the requests that write an object type. */
export function writeExamples(
  objectType: ObjectType,
): Readonly<Record<'create' | 'update' | 'upsert', object>> {
  const { create, update } = BODIES[objectType];
  const { uniqueKeys } = OBJECT_TYPE_RULES[objectType];
  const others = Object.entries(create).filter(([name]) => !uniqueKeys.includes(name));
  return {
    create: { fields: create },
    update: { fields: update },
    upsert: { fields: Object.fromEntries(others) },
  };
}

/** The id of the record of the examples. */
export const EXAMPLE_ID = '019a8f2c-91d4-7f3a-8c55-0a1b2c3d4e5f';

/** The key by which the example of an upsert names its record. */
export const UPSERT_KEY = { property: 'external_id', value: 'crm-1042' };

/** Returns what an answer shows of the record that `writeExamples` creates. */
export function viewExample(objectType: ObjectType): object {
  const { defaultFields } = OBJECT_TYPE_RULES[objectType];
  const { create } = BODIES[objectType];
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
  const { update, upsert } = writeExamples(objectType);
  const byKey = { id_property: UPSERT_KEY.property };
  const id = UPSERT_KEY.value;
  switch (action) {
    case 'create':
      return { inputs: [upsert], atomic: true };
    case 'update':
      return { inputs: [{ id, ...update }], ...byKey };
    case 'upsert':
      return { inputs: [{ id, ...upsert }], ...byKey };
    case 'restore':
      return { inputs: [{ id: EXAMPLE_ID }] };
    default:
      return { inputs: [{ id }], ...byKey };
  }
}

const where = (...conditions: readonly object[]): object => ({ groups: [{ conditions }] });

/** A search for each object type, for the OpenAPI document. */
export const SEARCH_EXAMPLES: Readonly<Record<ObjectType, object>> = {
  contacts: {
    filter: where(
      { field: 'lifecycle_stage', operator: 'in', value: ['lead', 'customer'] },
      { field: 'country', operator: 'eq', value: 'Norway' },
    ),
    sort: ['last_name', '-last_modified_date'],
    properties: ['country', 'lifecycle_stage'],
    limit: 20,
    count: true,
  },
  companies: {
    filter: where({ field: 'number_of_employees', operator: 'between', value: [10, 250] }),
    sort: ['-number_of_employees'],
  },
  deals: {
    filter: where(
      { field: 'amount', operator: 'gte', value: '10000.50' },
      { field: 'close_date', operator: 'lt', value: '2027-04-01' },
    ),
    sort: ['deal_stage', '-amount'],
  },
  tickets: {
    filter: where({ field: 'ticket_owner', operator: 'is_empty' }),
    sort: ['priority', 'create_date'],
    archived: false,
  },
};
