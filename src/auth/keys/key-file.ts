import { createHash, createPrivateKey, createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { InvalidEnvironmentError } from '../../settings/invalid-environment.error.js';

/** A key that everybody may know, and its form in `/.well-known/jwks.json` (RFC 7517). */
export interface PublicKey {
  readonly kid: string;
  readonly algorithm: 'RS256' | 'ES256';
  readonly key: KeyObject;
  readonly jwk: Readonly<Record<string, string>>;
}

/** Bits of the shortest RSA key (RFC 7518 section 3.3). */
const SHORTEST = 2048;

/** The members of a JWK of which its thumbprint is made, in the order of the alphabet (RFC 7638). */
const MEMBERS = { RS256: ['e', 'kty', 'n'], ES256: ['crv', 'kty', 'x', 'y'] } as const;

/** Reads a private key in PEM and its public half. @throws Error naming the setting */
export function readPrivateKey(file: string, setting: string): { key: KeyObject; shared: PublicKey } {
  const key = read({ file, setting, kind: 'a private key in PEM without a passphrase' }, createPrivateKey);
  return { key, shared: publicKey(createPublicKey(key), file, setting) };
}

/** Reads a public key in PEM. @throws Error naming the setting; also for a private key */
export function readPublicKey(file: string, setting: string): PublicKey {
  const kind = 'a public key in PEM';
  const key = read({ file, setting, kind }, (pem) => {
    if (pem.includes('PRIVATE KEY')) throw new Error('It is a private key');
    return createPublicKey(pem);
  });
  return publicKey(key, file, setting);
}

function read(
  { file, setting, kind }: { readonly file: string; readonly setting: string; readonly kind: string },
  parse: (pem: string) => KeyObject,
): KeyObject {
  let pem: string;
  try {
    pem = readFileSync(file, 'utf8');
  } catch (error) {
    throw InvalidEnvironmentError.of(
      setting,
      `${setting}: ${file} cannot be read (${(error as NodeJS.ErrnoException).code})`,
    );
  }
  try {
    return parse(pem);
  } catch {
    throw InvalidEnvironmentError.of(setting, `${setting}: ${file} must contain ${kind}`);
  }
}

function publicKey(key: KeyObject, file: string, setting: string): PublicKey {
  const algorithm = algorithmOf(key);
  if (algorithm === undefined) {
    throw InvalidEnvironmentError.of(
      setting,
      `${setting}: ${file} must be an RSA key of at least ${SHORTEST} bits (RS256) or a key of the curve P-256 (ES256)`,
    );
  }
  const exported: JsonWebKey = key.export({ format: 'jwk' });
  const members = MEMBERS[algorithm].map((name) => [name, exported[name] as string]);
  const named = Object.fromEntries(members) as Record<string, string>;
  const kid = createHash('sha256').update(JSON.stringify(named)).digest('base64url');
  return { kid, algorithm, key, jwk: { ...named, use: 'sig', alg: algorithm, kid } };
}

function algorithmOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): 'RS256' | 'ES256' | undefined {
  if (asymmetricKeyType === 'rsa')
    return (asymmetricKeyDetails?.modulusLength ?? 0) >= SHORTEST ? 'RS256' : undefined;
  const isP256 = asymmetricKeyType === 'ec' && asymmetricKeyDetails?.namedCurve === 'prime256v1';
  return isP256 ? 'ES256' : undefined;
}
