import { useQuery } from '@tanstack/react-query';
import { meQuery } from '../api/queries';

export type Scope =
  | 'records:read'
  | 'records:write'
  | 'routers:read'
  | 'directory:read'
  | 'dispatch'
  | 'availability'
  | 'manage';

/** Who is signed in. Known wherever the shell is. */
export function useMe() {
  return useQuery(meQuery).data;
}

/** Tells what the person may do. What they may not has no control on the page. */
export function useAccess(): (scope: Scope) => boolean {
  const me = useMe();
  return (scope) => me?.scopes.includes(scope) ?? false;
}
