import { queryOptions } from '@tanstack/react-query';
import { answer, api, tagged, type Tagged } from '../../api/client';
import type { Router } from '../../api/types';

/** What is read of a router: what dispatches follow, and the draft beside it. */
export interface RouterState {
  /** What is live; of a router that was never published, its draft. */
  live: Tagged<Router>;
  /** What waits to be published; undefined for nothing. */
  draft: Tagged<Router> | undefined;
}

/** What an edit begins with: the draft, where there is one. */
export const pendingOf = ({ live, draft }: RouterState): Tagged<Router> => draft ?? live;

async function readVersion(id: string, version?: string): Promise<Tagged<Router>> {
  const query = version === undefined ? { expand: 'status' as const } : { version };
  const params = { path: { routerId: id }, query };
  return tagged(api.GET('/routers/{routerId}', { params }));
}

export function routerStateQuery(id: string) {
  return queryOptions({
    queryKey: ['routers', id, 'state'],
    queryFn: async (): Promise<RouterState> => {
      const live = await readVersion(id);
      const waits = (live.value.status?.draft ?? null) !== null;
      return { live, draft: waits ? await readVersion(id, 'draft') : undefined };
    },
  });
}

export function routerVersionsQuery(id: string) {
  return queryOptions({
    queryKey: ['routers', id, 'versions'],
    queryFn: () =>
      answer(
        api.GET('/routers/{routerId}/versions', {
          params: { path: { routerId: id }, query: { limit: 100 } },
        }),
      ),
  });
}

interface Compared {
  from: string;
  to: string;
  /** Of the router, where it is acted on by what is seen: others may change it. */
  etag?: string;
}

export function routerDiffQuery(id: string, { from, to, etag }: Compared) {
  return queryOptions({
    queryKey: ['routers', id, 'diff', from, to, etag],
    queryFn: () =>
      answer(
        api.GET('/routers/{routerId}/diff', { params: { path: { routerId: id }, query: { from, to } } }),
      ),
  });
}
