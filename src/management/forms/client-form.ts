import type { ApiClientEntity } from '../../auth/index.js';

/** Returns what the audit compares of a client. It has no secret. */
export function clientForm({ name, scopes }: Pick<ApiClientEntity, 'name' | 'scopes'>): {
  name: string;
  scope: string;
} {
  return { name, scope: scopes.join(' ') };
}
