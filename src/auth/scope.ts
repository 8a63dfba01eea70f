/** The scopes that a token can have (contract section 2). */
export const SCOPES = [
  'records:read',
  'records:write',
  'routers:read',
  'directory:read',
  'dispatch',
  'availability',
  'manage',
] as const;
export type Scope = (typeof SCOPES)[number];

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
