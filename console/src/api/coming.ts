// Routes and parameters that docs/openapi.json does not have yet. Goes away as it gets them.
import type { components, paths } from './schema';

type Schemas = components['schemas'];
type Query<Q> = { parameters: { query?: Q; header?: never; path?: never; cookie?: never } };
type Done<T> = {
  responses: { 200: { headers: Record<string, unknown>; content: { 'application/json': T } } };
};

export interface Now {
  eligible: boolean;
  because: string | null;
  until: string | null;
  limits: { period: 'hour' | 'day' | 'week' | 'month'; used: number; max: number }[];
  owned: { contacts: number; companies: number; deals: number; tickets: number };
  capacities: { name: string; owned: number; max: number }[];
}

export interface Status {
  release: string;
  schema: { version: string; pending: number };
  database: { version: string };
  processes: { id: string; release: string; started_at: string; seen_at: string; self: boolean }[];
  pool: { size: number; busy: number; waiting: number };
  lags: { name: string; seconds: number | null }[];
}

type Page<T> = { data: T[]; pagination: Schemas['Pagination'] };
type ListQuery = { limit?: number; offset?: number; after?: string; archived?: boolean; q?: string };
type UserQuery = ListQuery & { expand?: 'now'; team?: string; router_id?: string };

export interface ComingPaths {
  '/users': Omit<paths['/users'], 'get'> & {
    get: Query<UserQuery> & Done<Page<Schemas['User'] & { now?: Now }>>;
  };
  '/users/{userId}': Omit<paths['/users/{userId}'], 'get'> & {
    get: { parameters: { query?: { expand?: 'now' }; path: { userId: string } } } & Done<
      Schemas['User'] & { now?: Now }
    >;
  };
  '/status': { get: Query<never> & Done<Status> };
}
