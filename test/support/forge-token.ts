import { createHmac, randomUUID } from 'node:crypto';

/** The signing secret of test services, for tests that forge tokens. */
export const TEST_SECRET = 'a-secret-of-the-tests-of-at-least-32-bytes';

const DIGESTS: Readonly<Record<string, string>> = { HS256: 'sha256', HS384: 'sha384', HS512: 'sha512' };

/**
 * The differences between a forged token and a genuine one. A value of undefined removes a claim or header.
 */
export interface Forgery {
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly header?: Readonly<Record<string, unknown>>;
  readonly secret?: string;
}

/**
 * Returns a token like those of test services, made without their code. Its scope is `records:read
 * records:write`.
 */
export function forgeToken(
  client: { readonly clientId: string; readonly accountId: string },
  { claims, header, secret = TEST_SECRET }: Forgery = {},
): string {
  const now = Math.floor(Date.now() / 1000);
  const head = { alg: 'HS256', typ: 'at+jwt', ...header };
  const payload = {
    iss: 'fairlead',
    aud: 'fairlead',
    sub: client.clientId,
    client_id: client.clientId,
    account_id: client.accountId,
    scope: 'records:read records:write',
    iat: now,
    exp: now + 600,
    jti: randomUUID(),
    ...claims,
  };
  const signed = `${encode(head)}.${encode(payload)}`;
  const digest = DIGESTS[head.alg];
  return `${signed}.${digest === undefined ? '' : createHmac(digest, secret).update(signed).digest('base64url')}`;
}

/** Header and claims of a token, unverified. */
export function decodeToken(token: string): {
  readonly header: Record<string, any>;
  readonly claims: Record<string, any>;
} {
  const [header = '', claims = ''] = token.split('.');
  const decode = (part: string): Record<string, any> =>
    JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
  return { header: decode(header), claims: decode(claims) };
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
