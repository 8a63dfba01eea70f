import { queryOptions } from '@tanstack/react-query';
import { answer, api } from './client';

export const OBJECT_TYPES = ['contacts', 'companies', 'deals', 'tickets'] as const;
export type ObjectType = (typeof OBJECT_TYPES)[number];

/** The fields that name a record, by its type: the first that has a value does. */
const NAMES: Record<ObjectType, readonly (readonly string[])[]> = {
  contacts: [['first_name', 'last_name'], ['email']],
  companies: [['company_name'], ['website_url']],
  deals: [['deal_name']],
  tickets: [['ticket_name']],
};

/** The field that names the owner, by the type. */
export const OWNERS: Readonly<Record<ObjectType, string>> = {
  contacts: 'contact_owner',
  companies: 'company_owner',
  deals: 'deal_owner',
  tickets: 'ticket_owner',
};

/** What people call a record: its name, or the first part of its id. */
export function nameOf(type: ObjectType, record: { id: string }): string {
  const fields = record as unknown as Record<string, unknown>;
  const names = NAMES[type].map((keys) =>
    keys
      .map((key) => fields[key])
      .filter(Boolean)
      .join(' '),
  );
  return names.find((name) => name !== '') ?? record.id.slice(0, 8);
}

/** The names of up to 500 records by their ids. Those that are archived or gone have none. */
export async function readRecords(type: ObjectType, ids: readonly string[]): Promise<Record<string, string>> {
  const body = { inputs: ids.map((id) => ({ id })), properties: NAMES[type].flat() };
  const { results } = await answer(api.POST(`/${type}/batch/read`, { body }));
  return Object.fromEntries(
    results.flatMap((result) =>
      'record' in result ? [[result.record.id, nameOf(type, result.record)]] : [],
    ),
  );
}

export function recordNamesQuery(type: ObjectType, ids: readonly string[]) {
  return queryOptions({
    queryKey: ['record-names', type, ids],
    queryFn: () => readRecords(type, ids),
    enabled: ids.length > 0,
    staleTime: 60_000,
  });
}
