import { queryOptions } from '@tanstack/react-query';
import { AT_ONCE, batched } from '../model/batched';
import { answer, api } from './client';

const readUser = batched(async (emails) => {
  const query = { email: emails.join(','), limit: AT_ONCE, archived: true };
  const { data } = await answer(api.GET('/users', { params: { query } }));
  return data.map((user) => [user.email, user] as const);
});

const readRouter = batched(async (ids) => {
  const query = { id: ids.join(','), limit: AT_ONCE, archived: true, brief: true };
  const { data } = await answer(api.GET('/routers', { params: { query } }));
  return data.map((router) => [router.id, router] as const);
});

/** The user with an e-mail, archived or not; null for none. */
export function userByEmailQuery(email: string) {
  return queryOptions({
    queryKey: ['users', 'named', email],
    queryFn: () => readUser(email),
    staleTime: 300_000,
  });
}

/** A router without what it decides by, archived or not; null for none. */
export function routerNameQuery(id: string) {
  return queryOptions({
    queryKey: ['routers', id, 'name'],
    queryFn: () => readRouter(id),
    staleTime: 300_000,
  });
}
