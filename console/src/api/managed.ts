import { answer, tagged } from './client';
import { send } from './send';

/** What every object of the configuration has. */
export interface Managed {
  id: string;
  /** When it was archived; false for an active one. */
  archived: string | false;
}

export type ManagedPath = 'members' | 'clients' | 'teams' | 'fields' | 'capacities';

interface Page<T> {
  data: T[];
  pagination: { count: number; next: string | null };
}

/** The routes of a kind of configuration. */
export function managed<T extends Managed>(path: ManagedPath) {
  const one = `/${path}/{id}`;
  return {
    list: (query: object) => answer(send<Page<T>>('GET', `/${path}`, { query })),
    read: (id: string) => tagged(send<T>('GET', one, { id })),
    create: (body: object) => answer(send<T>('POST', `/${path}`, { body })),
    change: (id: string, etag: string, body: object) => answer(send<T>('PATCH', one, { id, etag, body })),
    archive: (id: string, etag: string) => answer(send<T>('DELETE', one, { id, etag })),
    /** Another route of one object, such as `rotate`. */
    post: <R>(id: string, route: string, body: object = {}) =>
      answer(send<R>('POST', `${one}/${route}`, { id, body })),
    /** Ends what an object has, such as `sessions`. */
    end: <R>(id: string, route: string) => answer(send<R>('DELETE', `${one}/${route}`, { id })),
  };
}
