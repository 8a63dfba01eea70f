import type { Scope } from './access';

/** The pages of the navigation, in its order, and what they need to be read. */
export const PAGES = [
  { key: 'today', to: '/', scope: 'routers:read' },
  { key: 'routers', to: '/routers', scope: 'routers:read' },
  { key: 'assignments', to: '/assignments', scope: 'routers:read' },
  { key: 'people', to: '/people', scope: 'directory:read' },
  { key: 'records', to: '/records', scope: 'records:read' },
  { key: 'settings', to: '/settings', scope: 'manage' },
  { key: 'audit', to: '/audit', scope: 'manage' },
  { key: 'health', to: '/health', scope: 'manage' },
] as const satisfies readonly { key: string; to: string; scope: Scope }[];
