import type { QueryKey } from '@tanstack/react-query';
import { answer, tagged, type Tagged } from '../../api/client';
import type { ObjectType } from '../../api/records';
import { send } from '../../api/send';
import type { RecordChange } from '../../api/types';
import type { Trigger } from '../../api/types';

/** A record of any type: its fields by their names, with what the service adds. */
export type AnyRecord = Record<string, unknown> & { id: string };

interface Page<T> {
  data: T[];
  pagination: { next: string | null; count?: number };
}

/** What is read again after a record has changed. */
export function staleWith(type: ObjectType, id: string): QueryKey[] {
  return [
    ['record', type, id],
    ['history', type, id],
    ['records', type],
    ['record-names', type],
    // How many records people own, and what their limits have.
    ['users'],
  ];
}

/** One page of a search. */
export function searchRecords(type: ObjectType, body: object): Promise<Page<AnyRecord>> {
  return answer(send<Page<AnyRecord>>('POST', `/${type}/search`, { body }));
}

/** A record with the fields that are named. */
export function readRecord(
  type: ObjectType,
  id: string,
  properties: readonly string[],
): Promise<Tagged<AnyRecord>> {
  const query = { properties: properties.join(',') };
  return tagged(send<AnyRecord>('GET', `/${type}/{id}`, { id, query }));
}

/** Changes fields of a record that is as its tag says. */
export function changeRecord(
  type: ObjectType,
  id: string,
  change: { etag: string; body: object },
): Promise<AnyRecord> {
  return answer(send<AnyRecord>('PATCH', `/${type}/{id}`, { id, ...change }));
}

export function archiveRecord(type: ObjectType, id: string, etag: string): Promise<AnyRecord> {
  return answer(send<AnyRecord>('DELETE', `/${type}/{id}`, { id, etag }));
}

export function restoreRecord(type: ObjectType, id: string): Promise<AnyRecord> {
  return answer(send<AnyRecord>('POST', `/${type}/{id}/restore`, { id }));
}

export function readHistory(type: ObjectType, id: string, after?: string): Promise<Page<RecordChange>> {
  const query = { limit: 50, ...(after !== undefined && { after }) };
  return answer(send<Page<RecordChange>>('GET', `/${type}/{id}/history`, { id, query }));
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
