/** What a token may do (contract section 2). */
export const SCOPES = ['records:read', 'records:write', 'routers:read', 'dispatch', 'manage'] as const;
export type Scope = (typeof SCOPES)[number];

/** What a client gets unless told otherwise: all but `manage`. */
export const DEFAULT_SCOPES: readonly Scope[] = SCOPES.filter((scope) => scope !== 'manage');

const KNOWN = new Set<string>(SCOPES);

/**
 * Reads a space-separated scope list (RFC 6749 section 3.3); order and repetitions do not matter.
 * @returns the scopes in the order of SCOPES, or the words that are none.
 */
export function parseScopes(text: string): { scopes: Scope[] } | { unknown: string[] } {
  const words = new Set(text.split(' ').filter((word) => word !== ''));
  const unknown = [...words].filter((word) => !KNOWN.has(word));
  return unknown.length > 0 ? { unknown } : { scopes: SCOPES.filter((scope) => words.has(scope)) };
}
