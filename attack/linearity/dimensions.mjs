// What can grow in a request. Each dimension makes the bytes of a request of a size n, below every bound.
import { pathOf, resolved } from '../openapi.mjs';
import { request } from '../wire/request.mjs';

const nested = (levels, inner) => `${'{"a":'.repeat(levels)}${inner}${'}'.repeat(levels)}`;
const object = (count, entry) => `{${Array.from({ length: count }, (_, n) => entry(n)).join(',')}}`;
const list = (count, element) => `[${Array(count).fill(element).join(',')}]`;

/** @returns the dimensions of one route: { name, size, make } with `make(n)`, for n up to twice `size` */
export function* dimensionsOf(route, context) {
  const { method, body } = route;
  const { token } = context.attacker;
  const path = pathOf(route, () => context.record);
  const send = (target, options = {}) => request(method, target, { token, ...options });
  const plain = body === undefined ? {} : { body: '{}' };
  const head = (name, size, make) => ({ name, size, make: (n) => make(n) });

  yield head('Authorization', 7_000, (n) =>
    request(method, path, { ...plain, headers: [['Authorization', `Bearer ${'a'.repeat(n)}`]] }),
  );
  yield head('header', 7_000, (n) => send(path, { ...plain, headers: [['X-Request-Id', 'a'.repeat(n)]] }));
  yield head('headers', 800, (n) =>
    send(path, { ...plain, headers: Array.from({ length: n }, (_, index) => [`h${index}`, '']) }),
  );
  yield head('path', 7_000, (n) => {
    const long = 'a'.repeat(n);
    return send(path === route.path ? `${path}/${long}` : pathOf(route, () => long), plain);
  });
  yield head('segments', 3_500, (n) => send(`${path}${'/a'.repeat(n)}`, plain));
  yield head('query parameters', 1_400, (n) =>
    send(`${path}?${Array.from({ length: n }, (_, index) => `q${index}`).join('&')}`, plain),
  );
  yield head('repeated parameter', 3_500, (n) => send(`${path}?${'a&'.repeat(n)}`, plain));
  for (const { name } of route.parameters.filter((each) => each.in === 'query')) {
    yield head(`length of ?${name}`, 7_000, (n) => send(`${path}?${name}=${'1'.repeat(n)}`, plain));
    yield head(`commas of ?${name}`, 3_500, (n) => send(`${path}?${name}=${'a,'.repeat(n)}`, plain));
    yield head(`repeats of ?${name}`, 700, (n) => send(`${path}?${`${name}=a&`.repeat(n)}`, plain));
  }
  if (body !== undefined) yield* bodyDimensions(resolved(body), (text) => send(path, { body: text }));
}

function* bodyDimensions(schema, send) {
  const of = (name, size, make) => ({ name, size, make: (n) => send(make(n)) });
  yield of('white space', 400_000, (n) => `{${' '.repeat(n)}}`);
  yield of('keys', 450, (n) => object(n, (index) => `"k${index}":1`));
  yield of('inherited keys', 450, (n) => object(n, () => '"constructor":1'));
  yield of('length of keys', 400, (n) => object(n, (index) => `"${`${index}`.padStart(1_000, 'k')}":1`));
  yield of('depth', 15, (n) => nested(n, '1'));
  yield of('elements', 20_000, (n) => list(n, '[]'));
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const inside = (value) => `{"${name}":${value}}`;
    yield of(`length of ${name}`, 200_000, (n) => inside(`"${'x'.repeat(n)}"`));
    yield of(`digits of ${name}`, 200_000, (n) => inside('9'.repeat(n)));
    yield of(`lists in ${name}`, 20_000, (n) => inside(list(n, '[]')));
    yield of(`texts in ${name}`, 20_000, (n) => inside(list(n, '"x"')));
    yield of(`objects in ${name}`, 8_000, (n) => inside(list(n, '{"constructor":1}')));
    yield of(`depth of ${name}`, 15, (n) => inside(nested(n, '1')));
    yield of(`keys of ${name}`, 450, (n) => inside(object(n, (index) => `"k${index}":1`)));
    yield of(`keys in ${name}`, 20, (n) =>
      inside(
        list(
          n,
          object(900, (index) => `"k${index}":1`),
        ),
      ),
    );
    for (const [field, { type }] of Object.entries(resolved(property).properties ?? {})) {
      if (!TYPICAL.has(field) && !String(type).includes('number')) continue;
      const value = (text) => inside(`{"${field}":${JSON.stringify(text)}}`);
      yield of(`length of ${name}.${field}`, 200_000, (n) => value('1'.repeat(n)));
      yield of(`spaces of ${name}.${field}`, 8_000, (n) => value(`a${' '.repeat(n)}b`));
      yield of(`dots of ${name}.${field}`, 4_000, (n) => value(`a@${'a.'.repeat(n)}a`));
    }
  }
}

/** One field of each kind of text. */
const TYPICAL = new Set([
  'email',
  'first_name',
  'website_url',
  'contact_owner',
  'lead_source',
  'close_date',
  'amount',
]);
