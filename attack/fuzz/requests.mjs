// Requests of every route, mostly as its schema says, with odd parts here and there.
import { ROUTES, pathOf } from '../openapi.mjs';
import { request } from '../wire/request.mjs';
import { Values } from './values.mjs';

const TYPES = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/json; charset=latin1',
  'x',
  'application/json;',
];
const TOKENS = ['x', '..', 'e30.e30.e30', 'a'.repeat(5_000)];

/** Draws requests. @returns a function that returns { label, bytes } */
export function requestsOf(random, { attacker, ids }) {
  const values = new Values(random, ids);
  return () => {
    const route = random.one(ROUTES);
    values.oddness = random.one([0, 0.02, 0.15]);
    const path = encodeURI(pathOf(route, (name) => String(values.id(name)))).replace(/%00$/, () =>
      random.one(['%00', '%', '%zz']),
    );
    const query = queryOf(route, random, values);
    const target = `${path}${query === '' ? '' : `?${query}`}`;
    const options = { token: tokenOf(route, random, attacker), ...bodyOf(route, random, values) };
    return {
      label: `${route.method} ${target.slice(0, 200)}`,
      route,
      bytes: request(route.method, target, options),
    };
  };
}

function tokenOf({ isPublic }, random, { token }) {
  if (isPublic && random.chance(0.5)) return undefined;
  if (random.chance(0.04)) return random.one(TOKENS);
  return token;
}

function queryOf({ parameters }, random, values) {
  const pairs = parameters
    .filter((each) => each.in === 'query' && random.chance(0.3))
    .map(({ name, schema }) => [name, values.of(schema, name)]);
  if (random.chance(0.05)) pairs.push([random.one(['constructor', '__proto__', 'x', 'limit', 'a[b]']), '1']);
  return pairs.map(([name, value]) => `${name}=${encode(value)}`).join('&');
}

function encode(value) {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return encodeURIComponent(text.toWellFormed?.() ?? text.replace(/[\ud800-\udfff]/g, '?')).slice(0, 3_000);
}

function bodyOf({ method, path, body }, random, values) {
  if (body === undefined && !random.chance(0.05)) return {};
  const value = body === undefined ? values.odd() : values.of(body);
  let text = JSON.stringify(value) ?? '';
  if (random.chance(0.04)) text = spoiled(text, random);
  // The token endpoint takes few bytes; the connection is cut behind more.
  if (path === '/oauth2/token') text = text.slice(0, 8_000);
  const type = random.chance(0.03) ? random.one(TYPES) : undefined;
  const encoding = random.chance(0.03) && method !== 'GET' ? random.one(['br', 'gzip', 'x']) : undefined;
  return {
    body: text,
    ...(type === undefined ? {} : { type }),
    ...(encoding === undefined ? {} : { encoding }),
  };
}

/** A text with one byte less, more or other. */
function spoiled(text, random) {
  const at = random.below(text.length + 1);
  const byte = random.one(['', '"', '{', ']', ',', '\u0000', '\\', '9', 'e']);
  return text.slice(0, at) + byte + text.slice(at + random.below(2));
}
