import { queryOptions } from '@tanstack/react-query';
import { answer, api, tagged, type Tagged } from '../../api/client';
import { ApiError } from '../../api/errors';
import type { Router } from './model/content';

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
  const params = { path: { routerId: id }, query: version === undefined ? {} : { version } };
  return tagged(api.GET('/routers/{routerId}', { params }));
}

export function routerStateQuery(id: string) {
  return queryOptions({
    queryKey: ['routers', id, 'state'],
    queryFn: async (): Promise<RouterState> => {
      const live = await readVersion(id);
      const draft = await readVersion(id, 'draft').catch((error: unknown) => {
        if (error instanceof ApiError && error.status === 404) return undefined;
        throw error;
      });
      return { live, draft };
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

export function routerDiffQuery(id: string, from: string, to: string) {
  return queryOptions({
    queryKey: ['routers', id, 'diff', from, to],
    queryFn: () =>
      answer(
        api.GET('/routers/{routerId}/diff', { params: { path: { routerId: id }, query: { from, to } } }),
      ),
  });
}

/** A router with how it does: counts, the worst deviation, warnings. */
export function routerStatusQuery(id: string) {
  return queryOptions({
    queryKey: ['routers', id, 'status'],
    queryFn: () =>
      answer(
        api.GET('/routers/{routerId}', { params: { path: { routerId: id }, query: { expand: 'status' } } }),
      ),
  });
}
