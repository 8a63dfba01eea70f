import { queryOptions } from '@tanstack/react-query';
import { answer, api } from './client';

/** Up to 20 teams, by a text that the name begins with. */
export function teamsQuery(q = '') {
  return queryOptions({
    queryKey: ['teams', 'found', q],
    queryFn: () => answer(api.GET('/teams', { params: { query: { limit: 20, ...(q && { q }) } } })),
    staleTime: 60_000,
  });
}
