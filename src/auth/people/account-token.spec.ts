import { hashClientSecret } from '../client-secret.js';
import { isAccountToken, newAccountToken, tokenKey } from './account-token.js';

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
