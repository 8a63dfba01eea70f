import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseSettings } from '../../settings/settings.js';
import { tokenKeys, type TokenKeys } from './token-keys.js';

const ISSUER = 'https://crm.acme.test';

let folder: string;
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'fairlead-key-files-'))));
afterAll(() => rmSync(folder, { recursive: true }));

const write = (name: string, text: string | Buffer): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};
const pem = (key: KeyObject): string | Buffer =>
  key.export({ format: 'pem', type: key.type === 'private' ? 'pkcs8' : 'spki' });
const ec = (namedCurve: string): KeyObject => generateKeyPairSync('ec', { namedCurve }).privateKey;
const rsa = (modulusLength: number): KeyObject => generateKeyPairSync('rsa', { modulusLength }).privateKey;

const keys = (env: Record<string, string>): TokenKeys =>
  tokenKeys(parseSettings({ JWT_ISSUER: ISSUER, ...env }));

describe('the keys of tokens', () => {
  it.each([
    ['RS256', (): KeyObject => rsa(2048)],
    ['ES256', (): KeyObject => ec('P-256')],
  ])('sign with %s by the kind of the private key, under its thumbprint [contract 6]', (algorithm, make) => {
    const JWT_PRIVATE_KEY_FILE = write(`${algorithm}.pem`, pem(make()));
    const { signing, published, secrets } = keys({ JWT_PRIVATE_KEY_FILE });
    expect(signing).toMatchObject({ algorithm, kid: expect.stringMatching(/^[\w-]{43}$/) });
    expect(published.map(({ kid }) => kid)).toEqual([signing.kid]);
    expect(published[0]?.jwk).not.toHaveProperty('d');
    expect(secrets).toEqual([]);
    expect(keys({ JWT_PRIVATE_KEY_FILE }).signing.kid).toBe(signing.kid);
  });

  it('have the thumbprint of the example of RFC 7638 [contract 6]', () => {
    // Section 3.1: the public key in SPKI.
    const n =
      '0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMs' +
      'tn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5haj' +
      'rn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw';
    const key = createPublicKey({ key: { kty: 'RSA', n, e: 'AQAB' }, format: 'jwk' });
    const JWT_PREVIOUS_PUBLIC_KEY_FILES = write('rfc7638.pem', pem(key));
    const { published } = keys({ JWT_SECRET: 's'.repeat(32), JWT_PREVIOUS_PUBLIC_KEY_FILES });
    expect(published[0]?.kid).toBe('NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs');
  });

  const KINDS = 'must be an RSA key of at least 2048 bits (RS256) or a key of the curve P-256 (ES256)';
  it.each([
    ['a file that is missing', (): string => join(folder, 'missing'), 'cannot be read (ENOENT)'],
    ['a directory', (): string => folder, 'cannot be read (EISDIR)'],
    [
      'a text',
      (): string => write('text', 'secret'),
      'must contain a private key in PEM without a passphrase',
    ],
    [
      'a public key',
      (): string => write('public', pem(generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey)),
      'must contain a private key',
    ],
    [
      'a key with a passphrase',
      (): string =>
        write(
          'locked',
          ec('P-256').export({ format: 'pem', type: 'pkcs8', cipher: 'aes-256-cbc', passphrase: 'x' }),
        ),
      'without a passphrase',
    ],
    ['a short RSA key', (): string => write('short', pem(rsa(1024))), KINDS],
    ['another curve', (): string => write('curve', pem(ec('P-384'))), KINDS],
    ['Ed25519', (): string => write('ed', pem(generateKeyPairSync('ed25519').privateKey)), KINDS],
  ])(
    'are refused with %s for a private key, naming the setting [contract 5, contract 6]',
    (_, path, message) => {
      const JWT_PRIVATE_KEY_FILE = path();
      expect(() => keys({ JWT_PRIVATE_KEY_FILE })).toThrow(
        `Invalid environment:\n  - JWT_PRIVATE_KEY_FILE: ${JWT_PRIVATE_KEY_FILE} `,
      );
      expect(() => keys({ JWT_PRIVATE_KEY_FILE })).toThrow(message);
    },
  );

  it('are refused with a private key among the public ones [contract 6]', () => {
    const path = write('private-as-public', pem(ec('P-256')));
    expect(() => keys({ JWT_SECRET: 's'.repeat(32), JWT_PREVIOUS_PUBLIC_KEY_FILES: path })).toThrow(
      `JWT_PREVIOUS_PUBLIC_KEY_FILES: ${path} must contain a public key in PEM`,
    );
  });

  it.each([
    'fairlead',
    'ftp://acme.test',
    'https://acme.test/',
    'https://acme.test?x',
    'https://a:b@acme.test',
  ])('that are public need an address as issuer, not %s [contract 6]', (JWT_ISSUER) => {
    const JWT_PRIVATE_KEY_FILE = write('issuer.pem', pem(ec('P-256')));
    expect(() => keys({ JWT_PRIVATE_KEY_FILE, JWT_ISSUER })).toThrow(
      '  - JWT_ISSUER must be the http(s) address',
    );
  });

  it('are not both a private key and a secret [contract 6]', () => {
    const JWT_PRIVATE_KEY_FILE = write('both.pem', pem(ec('P-256')));
    expect(() => keys({ JWT_PRIVATE_KEY_FILE, JWT_SECRET: 's'.repeat(32) })).toThrow(
      'where it is JWT_SECRET_PREVIOUS',
    );
  });
});
