import { queryOptions } from '@tanstack/react-query';
import { answer, api } from './client';

/** Up to 100 teams, by a text that the name begins with. */
export function teamsQuery(q = '') {
  return queryOptions({
    queryKey: ['teams', 'found', q],
    queryFn: () => answer(api.GET('/teams', { params: { query: { limit: 100, ...(q && { q }) } } })),
    staleTime: 60_000,
  });
}
