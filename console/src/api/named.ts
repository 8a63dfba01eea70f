import { queryOptions } from '@tanstack/react-query';
import { answer, api } from './client';

/** How many keys one request has: an address has room for so many e-mails. */
const AT_ONCE = 50;

/** Returns a reading of one thing by its key. What is asked for in one moment is read together. */
function batched<T>(read: (keys: string[]) => Promise<(readonly [key: string, thing: T])[]>) {
  let next: { keys: Set<string>; found: Promise<Map<string, T>> } | undefined;
  const readAll = async (keys: string[]) => {
    const parts = Array.from({ length: Math.ceil(keys.length / AT_ONCE) }, (_, n) =>
      read(keys.slice(n * AT_ONCE, (n + 1) * AT_ONCE)),
    );
    return new Map((await Promise.all(parts)).flat());
  };
  return async (key: string): Promise<T | null> => {
    if (next === undefined) {
      const keys = new Set<string>();
      const moment = new Promise((resolve) => setTimeout(resolve));
      const found = moment.then(() => {
        next = undefined;
        return readAll([...keys]);
      });
      next = { keys, found };
    }
    next.keys.add(key);
    return (await next.found).get(key) ?? null;
  };
}

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
