import { answer, api, tagged, type Tagged } from '../../api/client';
import type { ObjectType } from '../../api/records';
import type { components } from '../../api/schema';
import type { Trigger } from '../../parts/conditions/trigger';

/** A record of any type: its fields by their names, with what the service adds. */
export type AnyRecord = Record<string, unknown> & { id: string };
type Schemas = components['schemas'];

interface Page<T> {
  data: T[];
  pagination: { next: string | null; count?: number };
}

interface Options {
  query?: Record<string, unknown>;
  etag?: string;
  body?: object;
}

/** A route of one record. Each object type has routes of its own, which take and answer the same. */
function ofRecord<T>(
  method: 'GET' | 'PATCH' | 'DELETE' | 'POST',
  path: string,
  { id, query, etag, body }: Options & { id: string },
) {
  const send = api[method] as (path: string, options: object) => Promise<{ data?: T; response: Response }>;
  const params = { path: { id }, query, ...(etag !== undefined && { header: { 'If-Match': etag } }) };
  return send(path, { params, ...(body !== undefined && { body }) });
}

/** One page of a search. */
export function searchRecords(type: ObjectType, body: object): Promise<Page<AnyRecord>> {
  return answer(api.POST(`/${type as 'contacts'}/search`, { body }));
}

/** A record with the fields that are named. */
export function readRecord(
  type: ObjectType,
  id: string,
  properties: readonly string[],
): Promise<Tagged<AnyRecord>> {
  return tagged(
    ofRecord<AnyRecord>('GET', `/${type}/{id}`, { id, query: { properties: properties.join(',') } }),
  );
}

/** Changes fields of a record that is as its tag says. */
export function changeRecord(type: ObjectType, id: string, { etag, body }: Options): Promise<AnyRecord> {
  return answer(
    ofRecord<AnyRecord>('PATCH', `/${type}/{id}`, {
      id,
      ...(etag !== undefined && { etag }),
      body: body ?? {},
    }),
  );
}

export function archiveRecord(type: ObjectType, id: string, etag: string): Promise<AnyRecord> {
  return answer(ofRecord<AnyRecord>('DELETE', `/${type}/{id}`, { id, etag }));
}

export function restoreRecord(type: ObjectType, id: string): Promise<AnyRecord> {
  return answer(ofRecord<AnyRecord>('POST', `/${type}/{id}/restore`, { id }));
}

export function readHistory(
  type: ObjectType,
  id: string,
  after?: string,
): Promise<Page<Schemas['RecordChange']>> {
  const query = { limit: 50, ...(after !== undefined && { after }) };
  return answer(ofRecord<Page<Schemas['RecordChange']>>('GET', `/${type}/{id}/history`, { id, query }));
}

/** Reads a filter of an address; none for what is no filter. */
export function filterOf(text: string | undefined): Trigger | undefined {
  if (text === undefined) return undefined;
  try {
    const filter = JSON.parse(text) as Trigger;
    const isFilter = filter.groups.every(({ conditions }) => Array.isArray(conditions));
    return isFilter ? filter : undefined;
  } catch {
    return undefined;
  }
}

/** The columns of a list, beside the name and the owner. */
export const COLUMNS: Readonly<Record<ObjectType, readonly string[]>> = {
  contacts: ['email', 'company_name', 'country', 'lead_source'],
  companies: ['website_url', 'country', 'number_of_employees'],
  deals: ['deal_stage', 'amount', 'close_date'],
  tickets: ['ticket_stage', 'priority'],
};
