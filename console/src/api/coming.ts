// Routes and parameters that docs/openapi.json does not have yet. Goes away as it gets them.
import type { components, paths } from './schema';

type Schemas = components['schemas'];
type Query<Q> = { parameters: { query?: Q; header?: never; path?: never; cookie?: never } };
type Done<T> = {
  responses: { 200: { headers: Record<string, unknown>; content: { 'application/json': T } } };
};

export type Role = 'viewer' | 'manager' | 'admin';

export interface Me {
  kind: 'client' | 'user';
  id: string;
  name: string;
  email: string | null;
  role: Role | null;
  user: { id: string; email: string; name: string | null } | null;
  scopes: string[];
  account: { id: string; slug: string; name: string };
  release: string;
}

export interface Session {
  signed_in: boolean;
  idle_until: string | null;
  ends_at: string | null;
  oidc: boolean;
}

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

export interface AssignmentFilter {
  router_id?: string | undefined;
  object_id?: string | undefined;
  user?: string | undefined;
  reason?: string | undefined;
  assigned?: boolean | undefined;
  rule?: string | undefined;
  step?: number | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

export interface Summary {
  by: string;
  data: { value: string | null; assigned: number; refused: number }[];
  total: { assigned: number; refused: number };
  more?: boolean;
}

type Page<T> = { data: T[]; pagination: Schemas['Pagination'] };
type ListQuery = { limit?: number; offset?: number; after?: string; archived?: boolean; q?: string };
type UserQuery = ListQuery & { expand?: 'now'; team?: string; router_id?: string };

export interface ComingPaths {
  '/me': { get: Query<never> & Done<Me> };
  '/console/session': {
    get: Query<never> & Done<Session>;
    post: Query<never> & {
      requestBody: { content: { 'application/json': { token: string } } };
    } & Done<Session>;
    delete: Query<never> & { responses: { 204: { headers: Record<string, unknown>; content?: never } } };
  };
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
  '/routers/{routerId}': Omit<paths['/routers/{routerId}'], 'get'> & {
    get: {
      parameters: { query?: { version?: string; expand?: 'status' }; path: { routerId: string } };
    } & Done<Schemas['Router'] & { status?: RouterStatus }>;
  };
  '/routers/{routerId}/fairness': {
    get: { parameters: { query?: { from?: string; to?: string }; path: { routerId: string } } } & Done<{
      rotations: Rotation[];
    }>;
  };
  '/assignments': {
    get: Query<AssignmentFilter & ListQuery> & Done<Page<Schemas['AssignmentSummary']>>;
  };
  '/status': { get: Query<never> & Done<Status> };
  '/assignments/summary': {
    get: Query<AssignmentFilter & { by: 'user' | 'rule' | 'reason' | 'day' }> & Done<Summary>;
  };
}
