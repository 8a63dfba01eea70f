import { createHash } from 'node:crypto';
import {
  hashClientSecret,
  isAccountToken,
  newAccountToken,
  newClientSecret,
  secretMatches,
  tokenKey,
} from './secrets.js';

describe("a client's secret", () => {
  it('has 256 random bits as text that needs no encoding anywhere [contract 2]', () => {
    const secrets = Array.from({ length: 100 }, newClientSecret);
    for (const secret of secrets) {
      expect(secret).toMatch(/^[\w-]{43}$/);
      expect(encodeURIComponent(secret)).toBe(secret);
      expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
    }
    expect(new Set(secrets).size).toBe(100);
  });

  it('is kept as its SHA-256 only [contract 2]', () => {
    expect(hashClientSecret('secret')).toEqual(createHash('sha256').update('secret').digest());
  });

  it('matches its own hash and nothing else [contract 2]', () => {
    const stored = hashClientSecret('secret');
    expect(secretMatches('secret', [stored])).toBe(true);
    for (const wrong of ['', 'Secret', 'secret ', 'secre', stored.toString(), 'x'.repeat(100_000)]) {
      expect(secretMatches(wrong, [stored])).toBe(false);
    }
  });

  it('never matches an unknown client, whose hash is compared all the same [contract 2]', () => {
    for (const none of [undefined, null]) {
      expect(secretMatches('', [none, none])).toBe(false);
      expect(secretMatches('secret', [none])).toBe(false);
    }
  });

  it('matches the hash of the secret before as well [contract 6]', () => {
    const [present, before] = ['new', 'old'].map(hashClientSecret);
    expect(secretMatches('new', [present, before])).toBe(true);
    expect(secretMatches('old', [present, before])).toBe(true);
    expect(secretMatches('old', [present, null])).toBe(false);
    expect(secretMatches('other', [present, before])).toBe(false);
  });
});

const ACCOUNT = { accountId: '019a8f2c-91d4-7f3a-8c55-0a1b2c3d4e5f' };

describe('the token of a link or a session', () => {
  it('names its account and is never the same [contract 12]', () => {
    const tokens = Array.from({ length: 100 }, () => newAccountToken(ACCOUNT));
    expect(new Set(tokens).size).toBe(100);
    for (const token of tokens) {
      expect(isAccountToken(token)).toBe(true);
      expect(tokenKey(token)).toEqual({ ...ACCOUNT, hash: hashClientSecret(token).toString('hex') });
    }
  });

  it.each(['', 'a'.repeat(43), 'a'.repeat(63), 'a'.repeat(65), `${'a'.repeat(63)}=`])(
    'is not %j [contract 12]',
    (text) => expect(isAccountToken(text)).toBe(false),
  );
});
