import { normalizeEmail } from './email-key.js';

describe('the key of an e-mail address', () => {
  it.each([
    ['Ada@Example.COM', 'ada@example.com'],
    ['  ada@example.com\n', 'ada@example.com'],
    ['\u00a0ÄDA@example.com', 'äda@example.com'],
    ['ada @example.com', 'ada @example.com'],
    ['', ''],
  ])('of %j is %j [2.6]', (text, key) => {
    expect(normalizeEmail(text)).toBe(key);
    expect(normalizeEmail(key)).toBe(key);
  });
});
