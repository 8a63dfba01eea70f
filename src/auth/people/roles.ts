import { SCOPES, type Scope } from '../scope.js';

/** What members may do, from the least to the most (contract section 12). */
export const ROLES = ['viewer', 'manager', 'admin'] as const;
export type Role = (typeof ROLES)[number];

const VIEWER: readonly Scope[] = ['records:read', 'routers:read', 'directory:read'];

/** The scopes of each role. */
export const ROLE_SCOPES: Readonly<Record<Role, ReadonlySet<Scope>>> = {
  viewer: new Set(VIEWER),
  manager: new Set([...VIEWER, 'records:write', 'dispatch', 'availability']),
  admin: new Set(SCOPES),
};

/** Returns the role that may do the most; undefined for none. */
export const greatestRole = (roles: readonly Role[]): Role | undefined =>
  ROLES.findLast((role) => roles.includes(role));
