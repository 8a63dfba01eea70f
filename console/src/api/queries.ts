import { QueryClient, queryOptions } from '@tanstack/react-query';
import { answer, api } from './client';
import { ApiError } from './errors';

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

/** Up to 100 routers, by a text that a name begins with. */
export function routersQuery(q = '') {
  return queryOptions({
    queryKey: ['routers', { q }],
    queryFn: () => answer(api.GET('/routers', { params: { query: { limit: 100, ...(q && { q }) } } })),
    staleTime: MINUTE,
  });
}

export function routerQuery(id: string) {
  return queryOptions({
    queryKey: ['routers', id],
    queryFn: async ({ client }) => {
      // Most accounts have few routers: one request has the names of all rows of a table.
      const { data } = await client.ensureQueryData(routersQuery());
      const known = data.find((router) => router.id === id);
      return known ?? answer(api.GET('/routers/{routerId}', { params: { path: { routerId: id } } }));
    },
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

/** The first 100 users, archived or not: in most accounts all, so that a table asks once for its names. */
const firstUsersQuery = queryOptions({
  queryKey: ['users', 'first'],
  queryFn: () => answer(api.GET('/users', { params: { query: { limit: 100, archived: true } } })),
  staleTime: 5 * MINUTE,
});

/** The user with an e-mail, archived or not; null for none. */
export function userByEmailQuery(email: string) {
  return queryOptions({
    queryKey: ['users', 'named', email],
    queryFn: async ({ client }) => {
      const first = await client.ensureQueryData(firstUsersQuery);
      const known = first.data.find((user) => user.email === email);
      if (known !== undefined) return known;
      const query = { q: email, limit: 10, archived: true };
      const { data } = await answer(api.GET('/users', { params: { query } }));
      return data.find((user) => user.email === email) ?? null;
    },
    staleTime: 5 * MINUTE,
  });
}
