import type { ObjectType } from '../../fields/index.js';

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
