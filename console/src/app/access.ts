import { useQuery } from '@tanstack/react-query';
import { meQuery } from '../api/queries';
import type { Me } from '../api/types';

export type Scope = Me['scopes'][number];

/** Who is signed in. Known wherever the shell is. */
export function useMe() {
  return useQuery(meQuery).data;
}

/** Tells what the person may do. What they may not has no control on the page. */
export function useAccess(): (scope: Scope) => boolean {
  const me = useMe();
  return (scope) => me?.scopes.includes(scope) ?? false;
}
