// Heads: the Authorization header, other headers, paths, query strings, and what a proxy may read otherwise.
import { request } from '../wire/request.mjs';

const LONG = 15_000;

export function* heads({ attacker: { token }, record, routers }) {
  const of = (group, name, make, options) => ({ group, name, make, ...options });
  const get = (path, headers = [], who = token) => request('GET', path, { token: who, headers });
  const anonymous = (path, headers) => get(path, headers, undefined);

  const authorizations = {
    '15 KB without white space': 'A'.repeat(LONG),
    'Bearer and 15 KB': `Bearer ${'a'.repeat(LONG)}`,
    'Bearer and 4,000 characters': `Bearer ${'a'.repeat(4_000)}`,
    'Bearer and 15 KB of spaces': `Bearer${' '.repeat(LONG)}!`,
    'Bearer and 15 KB of =': `Bearer ${'='.repeat(LONG)}!`,
    '1,300 dots': `Bearer ${'a.'.repeat(1_300)}`,
    'a token with a long header': `Bearer ${Buffer.from(`{"alg":"HS256","typ":"at+jwt","x":"${'y'.repeat(2_000)}"}`).toString('base64url')}.e30.AAAA`,
  };
  for (const [name, value] of Object.entries(authorizations)) {
    yield of('C1', `Authorization: ${name}`, () => anonymous('/contacts', [['Authorization', value]]));
  }
  yield of('C1', '700 Authorization headers', () =>
    anonymous('/contacts', Array(700).fill(['Authorization', 'Bearer a'])),
  );

  const path = `/contacts/${record}`;
  for (const name of [
    'Cookie',
    'Accept',
    'Accept-Encoding',
    'X-Request-Id',
    'X-Forwarded-For',
    'If-None-Match',
    'Range',
  ]) {
    yield of('headers', `${name} of 15 KB`, () => get(path, [[name, 'a,;= '.repeat(LONG / 6)]]));
  }
  for (const name of ['Content-Type', 'Content-Encoding']) {
    yield of('headers', `${name} of 15 KB`, () =>
      request('POST', '/contacts', {
        token,
        headers: [
          [name, 'a; '.repeat(LONG / 3)],
          ['Content-Length', '0'],
        ],
      }),
    );
  }
  yield of('headers', '1,900 headers', () =>
    get(
      path,
      Array.from({ length: 1_900 }, (_, n) => [`h${n}`, '']),
    ),
  );
  yield of('headers', 'Connection of 15 KB', () => get(path, [['Connection', 'a,'.repeat(LONG / 2)]]));

  const paths = {
    'an id of 15 KB': `/contacts/${'a'.repeat(LONG)}`,
    '15 KB of slashes': '/'.repeat(LONG),
    '7,500 segments': '/a'.repeat(LONG / 2),
    '15 KB of %2F': '/contacts/'.concat('%2F'.repeat(LONG / 3)),
    '15 KB of %': '/contacts/'.concat('%'.repeat(LONG)),
    '15 KB of ../': '/'.concat('../'.repeat(LONG / 3)),
    'an id of %00': '/contacts/%00',
    '/docs with 15 KB': `/docs/${'a/'.repeat(LONG / 2)}`,
    '15 KB of dots': `/contacts/${'.'.repeat(LONG)}`,
  };
  for (const [name, value] of Object.entries(paths)) yield of('paths', `path: ${name}`, () => get(value));

  const queries = {
    '7,500 x a': 'a&'.repeat(LONG / 2),
    '4,000 different names': Array.from({ length: 4_000 }, (_, n) => n.toString(36)).join('&'),
    'a[b][c] of 15 KB': `a${'[b]'.repeat(LONG / 3)}=1`,
    '3,700 x a[]': 'a[]&'.repeat(LONG / 4),
    '15 KB of %': '%'.repeat(LONG),
    '15 KB of +': `a=${'+'.repeat(LONG)}`,
    'properties of 7,500 commas': `properties=${','.repeat(LONG / 2)}`,
    'properties of 7,500 names': `properties=${'a,'.repeat(LONG / 2)}`,
    'properties of 1,300 x email': `properties=${'email,'.repeat(LONG / 7)}email`,
    '1,000 x properties=': 'properties=email&'.repeat(880),
    'limit of 15 KB': `limit=${'9'.repeat(LONG)}`,
    'offset of 15 KB': `offset=${'9'.repeat(LONG)}`,
    'after of 15 KB': `after=${'A'.repeat(LONG)}`,
    '3,000 x limit': 'limit=1&'.repeat(LONG / 8),
  };
  for (const [name, value] of Object.entries(queries)) {
    yield of('query', `/contacts?, ${name}`, () => get(`/contacts?${value}`));
  }
  yield of('query', 'GET by id?, 7,500 x a', () => get(`${path}?${'a&'.repeat(LONG / 2)}`));
  yield of('query', '/routers?, 7,500 x a', () => get(`/routers?${'a&'.repeat(LONG / 2)}`));
  yield of('query', '/assignments?, 7,500 x a', () => get(`/assignments?${'a&'.repeat(LONG / 2)}`));
  yield of('query', '/assignments?, user of 15 KB', () => get(`/assignments?user=${'a'.repeat(LONG)}`));
  yield of('query', '/dispatch/router?, 7,500 x a', () =>
    request('POST', `/dispatch/router?${'a&'.repeat(LONG / 2)}`, {
      token,
      body: { router_id: routers.Inbound, object_id: record },
    }),
  );

  yield of('L10', 'two hosts', () => get(path, [['Host', 'other']]));
  yield of('L10', 'Transfer-Encoding: gzip, chunked', () => transferred(token, 'gzip, chunked'));
  yield of('L10', 'Transfer-Encoding and Content-Length', () =>
    request('POST', '/contacts', { token, body: {}, headers: [['Transfer-Encoding', 'chunked']] }),
  );
  yield of('L1', 'not HTTP', () => Buffer.from('\u0001\u0002\u0003\r\n\r\n'));
  yield of('L1', 'a head of 20 KB', () => get(path, [['X', 'x'.repeat(20_000)]]));
  yield of('L1', 'Expect: nothing known', () => get(path, [['Expect', 'tea']]));
  yield of('L1', 'chunk extensions of 20 KB', () =>
    withChunks(transferred(token, 'chunked'), `2;${'e'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`),
  );
  yield of('L1', 'chunks of one byte, 64 KiB', () =>
    withChunks(transferred(token, 'chunked'), `${'1\r\n \r\n'.repeat(65_536)}0\r\n\r\n`),
  );
  for (const one of ['/oauth2/token', '/dispatch/router', '/nope']) {
    yield of('L6', `HEAD ${one}`, () => request('HEAD', one, { token }), { bodiless: true });
  }
  yield of('L6', 'PROPFIND /contacts', () => request('PROPFIND', '/contacts', { token }));
  for (const one of [
    '/docs',
    '/docs/swagger-ui-bundle.js',
    '/docs/swagger-ui-bundle.js.map',
    '/docs/package.json',
    '/docs-yaml',
    '/docs-json',
    '/openapi.json',
    '/health/ready',
  ]) {
    yield of('L5', one, () => anonymous(one));
  }
}

/** The head of a POST whose body has that transfer encoding. */
function transferred(token, encoding) {
  return request('POST', '/contacts', {
    token,
    headers: [
      ['Content-Type', 'application/json'],
      ['Transfer-Encoding', encoding],
    ],
  });
}

const withChunks = (head, chunks) => Buffer.concat([head, Buffer.from(chunks)]);
