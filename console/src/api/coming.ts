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

export interface RouterStatus {
  assigned: number;
  refused: number;
  assigned_7d: number;
  refused_7d: number;
  deviation: number | null;
  draft: { since: string } | null;
  warnings: string[];
}

export interface Rotation {
  rule: string | null;
  step: number;
  name: string;
  model: string;
  members: {
    user: string;
    weight: number;
    turns: number;
    fair_share: number;
    credit: number;
    returned: number;
    absent: number;
    longest_run: number;
    last_at: string | null;
  }[];
  worst: { user: string; credit: number; at: string } | null;
  bound: { kind: 'fixed' | 'changing'; value: number };
  kept: boolean;
  history: { at: string; credits: Record<string, number> }[];
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
  '/routers': Omit<paths['/routers'], 'get'> & {
    get: Query<ListQuery & { expand?: 'status' }> & Done<Page<Schemas['Router'] & { status?: RouterStatus }>>;
  };
  '/routers/{routerId}/fairness': {
    get: { parameters: { query?: { from?: string; to?: string }; path: { routerId: string } } } & Done<{
      rotations: Rotation[];
    }>;
  };
  '/status': { get: Query<never> & Done<Status> };
}
