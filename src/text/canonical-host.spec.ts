import fc from 'fast-check';
import { storm } from '../../test/support/storm.js';
import { canonicalHost } from './canonical-host.js';

const LONG_LABEL = 'a'.repeat(63);
const LONGEST = `${LONG_LABEL}.${LONG_LABEL}.${LONG_LABEL}.${'a'.repeat(61)}`;

describe('canonicalHost', () => {
  it.each([
    ['example.com', 'example.com'],
    ['EXAMPLE.Com', 'example.com'],
    ['  https://example.com  ', 'example.com'],
    ['https://www.example.com', 'example.com'],
    ['HTTPS://WWW.EXAMPLE.COM/Path?q=1#top', 'example.com'],
    ['//example.com/path', 'example.com'],
    ['ftp://example.com', 'example.com'],
    ['web+app://example.com', 'example.com'],
    ['example.com/a b/@me?x=a@b', 'example.com'],
    ['example.com?q', 'example.com'],
    ['example.com#f', 'example.com'],
    ['https://example.com\\@evil.com', 'example.com'],
    ['example.com:8080/x', 'example.com'],
    ['example.com:', 'example.com'],
    ['example.com.', 'example.com'],
    ['example.com.:443', 'example.com'],
    ['https://user:p%40ss@example.com', 'example.com'],
    ['https://a@b@example.com', 'example.com'],
    ['//me@example.com', 'example.com'],
    ['www.www.example.com', 'example.com'],
    ['www.com', 'www.com'],
    ['www.www.com', 'www.com'],
    ['www.co.uk', 'co.uk'],
    ['www2.example.com', 'www2.example.com'],
    ['sub_domain.example.com', 'sub_domain.example.com'],
    ['_dmarc.example.com', '_dmarc.example.com'],
    ['a-b.example.com', 'a-b.example.com'],
    ['Bücher.example', 'xn--bcher-kva.example'],
    ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
    ['http://ｗｗｗ．ｅｘａｍｐｌｅ．ｃｏｍ', 'example.com'],
    ['例え。テスト', 'xn--r8jz45g.xn--zckzah'],
    ['ex%61mple.com', 'example.com'],
    ['b%C3%BCcher.example', 'xn--bcher-kva.example'],
    // Versions of Node.js disagree about these.
    ['ẞ.com', 'xn--zca.com'],
    ['ß.com', 'xn--zca.com'],
    ['xn--zca.com', 'xn--zca.com'],
    [`${'\u00AD'.repeat(250)}ü.com`, 'xn--tda.com'],
    ['example.com:00080', 'example.com'],
    ['192.168.0.1', '192.168.0.1'],
    ['http://192.168.0.1.:80/', '192.168.0.1'],
    ['[2001:DB8:0::1]:443', '[2001:db8::1]'],
    ['http://[::ffff:1.2.3.4]/', '[::ffff:102:304]'],
    [LONGEST, LONGEST],
  ])('%j becomes %j', (text, host) => {
    expect(canonicalHost(text)).toBe(host);
  });

  it.each([
    '',
    ' ',
    '???',
    'foo bar',
    'foo bar.com',
    'exa\tmple.com',
    'exa\nmple.com',
    'localhost',
    'localhost:3000',
    'http://',
    'http:///example.com',
    'http:example.com',
    'https://https://example.com',
    'javascript:alert(1)',
    'mailto:a@b.c',
    'a@b.com',
    '@example.com',
    '.',
    '..',
    '.com',
    'www..com',
    'example.com..',
    'a..b.com',
    '-a.com',
    'a-.com',
    'a!b.com',
    'a,b.com',
    'xn--a.com',
    'XN--A.com',
    'xn--.com',
    'a.xn--ls8h=.com',
    // A letter that is not joined to another, and a Hebrew label that begins with a digit.
    'a\u200Db.com',
    '1\u05D0.com',
    // Assigned by no version of Unicode, and by Unicode 17.
    '\u{E0080}.com',
    '\u{10940}.com',
    'example.com%zz',
    'example.com%C3',
    'example.com:80:80',
    '[::1]x',
    '[::ü]',
    '1',
    '1.5',
    'http://123',
    '2130706433',
    '127.1',
    '0x7f.0.0.1',
    '127.000.000.001',
    '256.1.1.1',
    'www.1.2.3.4',
    '１２７.0.0.1',
    '[::1',
    '[::1%eth0]',
    '::1',
    'example.com:99999',
    'example.com:http',
    'example.com%00',
    'example.com%2Fpath',
    `${LONG_LABEL}a.com`,
    `${LONGEST}a`,
    'a.'.repeat(50_000),
    'ü'.repeat(60_000),
    `${'\u00AD'.repeat(253)}ü.com`,
  ])('%j is no host', (text) => {
    expect(canonicalHost(text)).toBeUndefined();
  });

  const label = fc.oneof(
    fc.constantFrom(
      'www',
      'WWW',
      'xn--',
      'xn--bcher-kva',
      '127',
      '0',
      '0x7f',
      'com',
      '',
      'ｗｗｗ',
      'ß',
      '\u00AD',
      '\u200D',
    ),
    fc.string({ unit: 'grapheme', maxLength: 6 }),
    fc.string({ unit: 'binary', maxLength: 4 }),
    fc.domain(),
  );
  const host = fc.array(label, { minLength: 1, maxLength: 5 }).map((labels) => labels.join('.'));
  const address = fc
    .tuple(
      fc.constantFrom('', 'http://', '//', 'x:', ' HTTPS://u:p@'),
      host,
      fc.constantFrom('', '.', ':80', '/p', '?q', ' '),
    )
    .map((parts) => parts.join(''));

  it.each([
    ['texts', fc.string({ unit: 'binary' })],
    ['host-like texts', address],
    ['web addresses', fc.webUrl({ withFragments: true, withQueryParameters: true })],
    ['IPv4 addresses', fc.ipV4Extended()],
    ['IPv6 addresses', fc.ipV6().map((ip) => `[${ip}]`)],
  ])('is idempotent and in canonical form for %s', (_, texts: fc.Arbitrary<string>) => {
    fc.assert(
      fc.property(texts, (text) => {
        const once = canonicalHost(text);
        if (once === undefined) return;
        expect(canonicalHost(once)).toBe(once);
        expect(once).toMatch(/^(?:\[[0-9a-f:]+\]|[a-z0-9._-]+\.[a-z0-9_-]+)$/);
      }),
      { numRuns: storm(2000) },
    );
  });

  it('gives every spelling of one address the same host', () => {
    fc.assert(
      fc.property(fc.domain(), fc.nat(65_535), (domain, port) => {
        const expected = canonicalHost(domain);
        expect(expected).toBeDefined();
        for (const text of [
          `https://${domain}:${port}/a?b#c`,
          `WWW.${domain.toUpperCase()}.`,
          `//x:y@www.${domain}`,
        ]) {
          expect(canonicalHost(text)).toBe(expected);
        }
      }),
    );
  });
});
