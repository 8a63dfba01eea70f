/** The scopes that a token can have (contract section 2), and what it may do with each. */
export const SCOPE_MEANINGS = {
  'records:read': 'Read records and fields',
  'records:write': 'Create, change and archive records',
  'routers:read': 'Read routers and the assignment log',
  'directory:read': 'Read users, teams, capacities and versions of routers',
  dispatch: 'Run routers, and ask what they would decide',
  availability: 'Set whether users are available',
  manage: 'Manage users, teams, fields, capacities, routers and clients, and read the audit',
};
export type Scope = keyof typeof SCOPE_MEANINGS;
export const SCOPES = Object.keys(SCOPE_MEANINGS) as unknown as readonly [Scope, ...Scope[]];

/** What a client gets only when it is told so. */
const ON_REQUEST: ReadonlySet<Scope> = new Set<Scope>(['availability', 'manage']);

/** The scopes of a client that is created without a list: all but `availability` and `manage`. */
export const DEFAULT_SCOPES: readonly Scope[] = SCOPES.filter((scope) => !ON_REQUEST.has(scope));

const KNOWN = new Set<string>(SCOPES);

/**
 * Parses a space-separated list of scopes (RFC 6749 section 3.3). Order and repetitions do not matter.
 * @returns the scopes in the order of SCOPES, or every word that is not a scope
 */
export function parseScopes(text: string): { scopes: Scope[] } | { unknown: string[] } {
  const words = new Set(text.split(' ').filter((word) => word !== ''));
  const unknown = [...words].filter((word) => !KNOWN.has(word));
  return unknown.length > 0 ? { unknown } : { scopes: SCOPES.filter((scope) => words.has(scope)) };
}

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
