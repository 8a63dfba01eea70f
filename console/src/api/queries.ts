import { QueryClient, queryOptions, type QueryKey } from '@tanstack/react-query';
import { answer, api } from './client';
import { ApiError } from './errors';
import type { ObjectType } from './records';

const MINUTE = 60_000;

/** What is read is kept and shown while it is read again. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (failures, error) =>
        failures < 2 && (!(error instanceof ApiError) || [0, 429, 502, 503, 504].includes(error.status)),
    },
  },
});

/** Reads again what is shown of what these keys begin with. */
export function refresh(client: QueryClient, keys: readonly QueryKey[]): Promise<unknown> {
  return Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })));
}

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: () => answer(api.GET('/console/session')),
  staleTime: Infinity,
});

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: () => answer(api.GET('/me')),
  staleTime: Infinity,
});

/** Up to 50 routers, by a text that a name begins with, and of records of a type. */
export function routersQuery(q = '', type?: ObjectType) {
  const query = { limit: 50, brief: true, ...(q && { q }), ...(type && { object_type: type }) };
  return queryOptions({
    queryKey: ['routers', 'found', q, type],
    queryFn: () => answer(api.GET('/routers', { params: { query } })),
    staleTime: MINUTE,
  });
}

export function routerQuery(id: string) {
  return queryOptions({
    queryKey: ['routers', id],
    queryFn: () => answer(api.GET('/routers/{routerId}', { params: { path: { routerId: id } } })),
    staleTime: 5 * MINUTE,
  });
}

/** Up to 20 users, by a text that a name or an e-mail begins with. */
export function usersQuery(q = '') {
  return queryOptions({
    queryKey: ['users', 'found', q],
    queryFn: () => answer(api.GET('/users', { params: { query: { limit: 20, ...(q && { q }) } } })),
    staleTime: MINUTE,
  });
}

/** Up to 50 teams, by a text that the name begins with. */
export function teamsQuery(q = '') {
  return queryOptions({
    queryKey: ['teams', 'found', q],
    queryFn: () => answer(api.GET('/teams', { params: { query: { limit: 50, ...(q && { q }) } } })),
    staleTime: MINUTE,
  });
}
