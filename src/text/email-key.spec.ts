import { emailKey, normalizeEmail, withoutInvisibleEnds } from './email-key.js';

describe('a normalized e-mail address', () => {
  it.each([
    ['Ada@Example.COM', 'ada@example.com'],
    ['  ada@example.com\n', 'ada@example.com'],
    ['\u00a0ÄDA@example.com', 'äda@example.com'],
    ['a\u200bda@exam\u00adple.com\u200e', 'ada@example.com'],
    ['e\u0301a@example.com', 'éa@example.com'],
    ['ada@\u2060MÜNCHEN.de', 'ada@münchen.de'],
    ['ada @example.com', 'ada @example.com'],
    ['', ''],
  ])('of %j is %j [2.6] [contract 3]', (text, key) => {
    expect(normalizeEmail(text)).toBe(key);
    expect(normalizeEmail(key)).toBe(key);
  });
});

it('an e-mail address is normalized in linear time, whatever it is', () => {
  for (const part of ['ü', '\u0301', 'ü.', '@', '.', '\u200b', ' ']) {
    const normal = normalizeEmail(`a@${part.repeat(200_000)}x`);
    expect(normalizeEmail(normal)).toBe(normal);
  }
});

it.each([
  [' crm-1\u00a0\r\n', 'crm-1'],
  ['\ufeff\u200bCRM 1\u{e0001}', 'CRM 1'],
  ['a\u200bb', 'a\u200bb'],
  ['\u200b \u2060', ''],
  ['', ''],
  [`x${' '.repeat(200_000)}y`, `x${' '.repeat(200_000)}y`],
  [`${'\u200b'.repeat(200_000)}y`, 'y'],
])('a text without invisible ends', (text, rest) => {
  expect(withoutInvisibleEnds(text)).toBe(rest);
});

describe('the form in which an e-mail address is compared as a key', () => {
  it.each([
    ['ada@example.com', 'ada@example.com'],
    ['ada@example.com.', 'ada@example.com'],
    ['ada@münchen.de', 'ada@xn--mnchen-3ya.de'],
    ['ada@xn--mnchen-3ya.de', 'ada@xn--mnchen-3ya.de'],
    ['äda@münchen.de.', 'äda@xn--mnchen-3ya.de'],
    ['a@b@münchen.de', 'a@b@xn--mnchen-3ya.de'],
    ['ada', 'ada'],
    ['ada@', 'ada@'],
    ['ada@example.com..', 'ada@example.com'],
    ['ada@localhost', 'ada@localhost'],
  ])('of %j is %j [contract 3]', (email, key) => {
    expect(emailKey(email)).toBe(key);
    expect(emailKey(key)).toBe(key);
  });

  it('is made in linear time', () => {
    for (const part of ['ü', 'ü.', '@', '.', 'xn--', '\u3002']) {
      const key = emailKey(normalizeEmail(`a@${part.repeat(200_000)}x`));
      expect(emailKey(key)).toBe(key);
    }
  });
});
