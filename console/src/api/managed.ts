import { answer, api, tagged, type Tagged } from './client';

/** What every object of the configuration has. */
export interface Managed {
  id: string;
  /** When it was archived; false for an active one. */
  archived: string | false;
}

export type ManagedPath = 'members' | 'clients' | 'teams' | 'fields' | 'capacities';

interface Page<T> {
  data: T[];
  pagination: { count: number; next?: string | null };
}

type Send = (
  path: string,
  options: object,
) => Promise<{ data?: unknown; error?: unknown; response: Response }>;
const send = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, options: object) =>
  (api[method] as unknown as Send)(path, options);

/**
 * The routes of a kind of configuration. All kinds have the same ones, with objects of their own; the
 * document names the id of each differently.
 */
export function managed<T extends Managed>(path: ManagedPath) {
  const one = `/${path}/{id}`;
  const of = (id: string, etag?: string) => ({
    params: { path: { id }, ...(etag !== undefined && { header: { 'If-Match': etag } }) },
  });
  return {
    list: async (
      query: object,
    ): Promise<{ data: T[]; pagination: { count: number; next: string | null } }> => {
      const found = (await answer(send('GET', `/${path}`, { params: { query } }))) as Page<T>;
      return { ...found, pagination: { ...found.pagination, next: found.pagination.next ?? null } };
    },
    read: (id: string) => tagged(send('GET', one, of(id))) as Promise<Tagged<T>>,
    create: (body: object) => answer(send('POST', `/${path}`, { body })) as Promise<T>,
    change: (id: string, etag: string, body: object) =>
      answer(send('PATCH', one, { ...of(id, etag), body })) as Promise<T>,
    archive: (id: string, etag: string) => answer(send('DELETE', one, of(id, etag))) as Promise<T>,
    /** Another route of one object, such as `rotate`. */
    post: <R>(id: string, route: string, body: object = {}) =>
      answer(send('POST', `${one}/${route}`, { ...of(id), body })) as Promise<R>,
  };
}
