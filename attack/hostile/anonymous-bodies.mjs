// Bodies of somebody without a token: at the token endpoint, on routes that need a token, and on no route.
import { request } from '../wire/request.mjs';

const MIB = 1024 * 1024;
const FORM = 'application/x-www-form-urlencoded';

const lists = (count) => `[${Array(count).fill('[]').join(',')}]`;
const keys = (count) =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, 1])));

export function* anonymousBodies({ attacker: { client_id, client_secret } }) {
  const of = (group, name, make, options) => ({ group, name, make, ...options });
  const post = (path, body, more) => request('POST', path, { body, ...more });
  const token = '/oauth2/token';

  for (const encoding of ['br', 'gzip']) {
    yield of('C2', `${token}, form a=+++, ${encoding}`, () =>
      post(token, `a=${'+'.repeat(MIB - 2)}`, { type: FORM, encoding }),
    );
    yield of('C2', `${token}, form a&a&, ${encoding}`, () =>
      post(token, 'a&'.repeat(MIB / 2), { type: FORM, encoding }),
    );
    yield of('C2', `/contacts, [[],[],, ${encoding}`, () => post('/contacts', lists(340_000), { encoding }));
    yield of('C2', `/contacts, 170,000 levels, ${encoding}`, () =>
      post('/contacts', `${'['.repeat(170_000)}${']'.repeat(170_000)}`, { encoding }),
    );
    yield of('C2', `/nope, [[],[],, ${encoding}`, () => post('/nope', lists(340_000), { encoding }));
    yield of('C2', `${token}, 100 MiB of zeroes, ${encoding}`, () =>
      post(token, Buffer.alloc(100 * MIB), { encoding }),
    );
  }
  yield of('C2', '/contacts, 85,000 keys', () => post('/contacts', keys(85_000)));
  yield of('C2', '/nope, 85,000 keys', () => post('/nope', keys(85_000)));
  yield of('C2', 'PUT /contacts, 85,000 keys', () => request('PUT', '/contacts', { body: keys(85_000) }));
  yield of('C2', 'GET /contacts with 85,000 keys', () => request('GET', '/contacts', { body: keys(85_000) }));
  yield of(
    'C2',
    '/contacts, Content-Length 1 GiB',
    () =>
      request('POST', '/contacts', {
        headers: [
          ['Content-Type', 'application/json'],
          ['Content-Length', String(1024 * MIB)],
        ],
      }),
    { alone: true },
  );
  yield of('C2', `${token}, 1 MiB of unknown keys`, () => post(token, keys(85_000)));
  yield of('C2', `${token}, 8 KiB of unknown keys`, () => post(token, keys(700)));
  yield of('C2', `${token}, 8 KiB of form parameters`, () => post(token, 'a&'.repeat(4_090), { type: FORM }));
  yield of('C2', `${token}, 8 KiB of different parameters`, () =>
    post(token, Array.from({ length: 1_600 }, (_, n) => `${n.toString(36)}=`).join('&'), { type: FORM }),
  );
  yield of('C2', `${token}, 8 KiB of percent signs`, () =>
    post(token, `a=${'%'.repeat(8_100)}`, { type: FORM }),
  );
  yield of('C2', `${token}, 8 KiB + 1`, () => post(token, `a=${'b'.repeat(8_191)}`, { type: FORM }));
  yield of('C2', `${token}, 15 KB of query`, () =>
    post(`${token}?${'a&'.repeat(7_500)}`, { client_id, client_secret }),
  );
  yield of('C2', `${token}, scope of 4,000 words`, () =>
    post(token, { client_id, client_secret, scope: 'a '.repeat(4_000) }),
  );
  yield of('C2', `${token}, client_id of 8,000 characters`, () =>
    post(token, { client_id: 'c'.repeat(8_000), client_secret }),
  );
  yield of('C2', `${token}, client_secret of 8,000 characters`, () =>
    post(token, { client_id, client_secret: 's'.repeat(8_000) }),
  );
  yield of('C2', `${token}, Basic of 15 KB`, () =>
    post(token, 'grant_type=client_credentials', {
      type: FORM,
      headers: [['Authorization', `Basic ${Buffer.alloc(11_000, 'a:').toString('base64')}`]],
    }),
  );
  yield of('C2', `${token}, wrong secret`, () => post(token, { client_id, client_secret: 'wrong' }));
  yield of('C2', `${token}, constructor and __proto__`, () =>
    post(token, '{"__proto__":{"a":1},"constructor":1}'),
  );
}
