import { answer, api } from './client';
import { nameOf, OBJECT_TYPES, readRecords, type ObjectType } from './records';

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** A record that was found. */
export interface Found {
  type: ObjectType;
  id: string;
  name: string;
}

/** The records that have an id, an e-mail (contacts) or a website (companies): by their keys. */
export async function findRecords(q: string): Promise<Found[]> {
  if (ID.test(q)) {
    const found = await Promise.all(OBJECT_TYPES.map((type) => readRecords(type, [q])));
    return OBJECT_TYPES.flatMap((type, index) =>
      Object.entries(found[index] ?? {}).map(([id, name]) => ({ type, id, name })),
    );
  }
  if (q.includes('@')) return byCondition('contacts', 'email', q);
  if (q.includes('.')) return byCondition('companies', 'website_url', q);
  return [];
}

async function byCondition(type: 'contacts' | 'companies', field: string, value: string): Promise<Found[]> {
  const filter = { groups: [{ conditions: [{ field, operator: 'eq', value }] }] };
  const { data } = await answer(api.POST(`/${type}/search`, { body: { filter, limit: 5 } })).catch(() => ({
    data: [],
  }));
  return data.map((record) => ({ type, id: record.id, name: nameOf(type, record) }));
}
