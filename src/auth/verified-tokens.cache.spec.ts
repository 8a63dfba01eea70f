import { VerifiedTokensCache, type VerifiedToken } from './verified-tokens.cache.js';

const token: VerifiedToken = { accountId: 'acme', clientId: 'client', scopes: ['dispatch'], exp: 1_000 };

describe('a token that was verified before', () => {
  let now: number;
  let tokens: VerifiedTokensCache;

  beforeEach(() => {
    now = 0;
    jest.spyOn(Date, 'now').mockImplementation(() => now);
    tokens = new VerifiedTokensCache();
    tokens.set('text', token);
  });
  afterEach(() => jest.restoreAllMocks());

  it('is good until the second in which it expires [5.1, contract 2]', () => {
    now = 999_999;
    expect(tokens.get('text')).toBe(token);
    now = 1_000_000;
    expect(tokens.get('text')).toBeUndefined();
  });

  it('is forgotten once it has expired, whatever the clock says afterwards', () => {
    now = 1_000_000;
    tokens.get('text');
    now = 0;
    expect(tokens.get('text')).toBeUndefined();
  });

  it('is verified again once 10,000 others were seen since', () => {
    for (let other = 1; other < 10_000; other++) tokens.set(`other ${other}`, token);
    expect(tokens.get('text')).toBe(token);
    for (let other = 1; other <= 10_000; other++) tokens.set(`another ${other}`, token);
    expect(tokens.get('text')).toBeUndefined();
    expect(tokens.get('another 1')).toBe(token);
  });

  it('is known by all of its text only', () => {
    expect(tokens.get('tex')).toBeUndefined();
  });
});
