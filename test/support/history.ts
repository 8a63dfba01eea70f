import type { ApiClient } from './api-client.js';

/** A change of a field as a history tells it. */
export interface Change {
  readonly field: string;
  readonly from: unknown;
  readonly to: unknown;
  readonly at: string;
  readonly by: { readonly kind: string; readonly id: string | null; readonly name: string | null };
  readonly assignment_id: string | null;
  readonly request_id: string | null;
}

/** Returns the whole history of a record, newest first, read in pages. @param path `/contacts/<id>` */
export async function historyOf(api: ApiClient, path: string, query = 'limit=100'): Promise<Change[]> {
  const changes: Change[] = [];
  let after: string | null = '';
  while (after !== null) {
    const { status, body } = await api.get(`${path}/history?${query}${after && `&after=${after}`}`);
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
    changes.push(...body.data);
    after = body.pagination.next;
  }
  return changes;
}

/**
 * Returns what a record is after all changes, from nothing: its fields, and `archived`.
 * @throws where a change does not begin with what the one before has left
 */
export function replayed(newestFirst: readonly Change[]): Record<string, unknown> {
  const state = new Map<string, unknown>();
  for (const { field, from, to } of [...newestFirst].reverse()) {
    const before = state.get(field) ?? (field === 'archived' ? false : null);
    if (before !== from)
      throw new Error(`${field}: ${JSON.stringify(before)} is not ${JSON.stringify(from)}`);
    if (to === null || to === false) state.delete(field);
    else state.set(field, to);
  }
  return Object.fromEntries(state);
}

/** Changes in short, newest first: `city: null → Oslo`. */
export const inShort = (changes: readonly Change[]): string[] =>
  changes.map(({ field, from, to }) => `${field}: ${String(from)} → ${String(to)}`);
