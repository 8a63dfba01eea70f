import { createHmac, timingSafeEqual, type KeyObject } from 'node:crypto';
import type { TokenKeys } from './token-keys.js';

/**
 * Returns the key that must have signed a token, by what its header says: the public key that `kid` names,
 * for the algorithm of that key only; without `kid` and with HS256, the secret that has signed it. So no
 * public key is ever taken for a secret.
 * @returns undefined where no key can have signed it
 */
export function verifyingKey({ published, secrets }: TokenKeys, token: string): KeyObject | undefined {
  const header = headerOf(token);
  if (header === undefined) return undefined;
  const { alg, kid } = header;
  if (kid !== undefined) return published.find((key) => key.kid === kid && key.algorithm === alg)?.key;
  if (alg !== 'HS256') return undefined;
  return secrets.length === 1 ? secrets[0] : secrets.find((secret) => hasSigned(secret, token));
}

function headerOf(token: string): { readonly alg?: unknown; readonly kid?: unknown } | undefined {
  try {
    const text = Buffer.from(token.slice(0, token.indexOf('.')), 'base64url').toString('utf8');
    const header: unknown = JSON.parse(text);
    return typeof header === 'object' && header !== null ? header : undefined;
  } catch {
    return undefined;
  }
}

function hasSigned(secret: KeyObject, token: string): boolean {
  const end = token.lastIndexOf('.');
  const expected = createHmac('sha256', secret).update(token.slice(0, end)).digest();
  const given = Buffer.from(token.slice(end + 1), 'base64url');
  return given.length === expected.length && timingSafeEqual(given, expected);
}
