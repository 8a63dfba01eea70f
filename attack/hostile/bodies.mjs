// Bodies of a client with a valid token: many keys, lists in lists, many failures, depth, odd names and values.
import { request } from '../wire/request.mjs';
import { TEXT_FIELDS } from '../service/configuration.mjs';

const MIB = 1024 * 1024;
const DISPATCH = ['router', 'batch', 'simulate'];

const keys = (count, value = 1) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, value]));

/** An array of that many elements, in so many objects of long keys. */
function deepList(elements, levels = 28) {
  const key = `"${'k'.repeat(99)}"`;
  return `${`{${key}:`.repeat(levels)}[${Array(elements).fill('[]').join(',')}]${'}'.repeat(levels)}`;
}

/** Objects of as many keys as one may have, with as many values as a body may have. */
const manyObjects = () => Array.from({ length: 49 }, () => keys(1_000));

/** A body of almost 1 MiB of fields that no object type has. */
const unknownFields = () =>
  Object.fromEntries(Array.from({ length: 990 }, (_, n) => [`${n}`.padStart(1_000, 'u'), 'v']));

const inherited = JSON.parse(
  '{"constructor":1,"__proto__":{"constructor":2},"toString":3,"hasOwnProperty":4}',
);

export function* bodies({ attacker: { token }, record, routers }) {
  const post = (path, body, encoding) => request('POST', path, { token, body, encoding });
  const of = (group, name, make) => ({ group, name, make });
  const router_id = routers.Inbound;

  for (const route of DISPATCH) {
    const path = `/dispatch/${route}`;
    yield of('C3', `${path}, 85,000 unknown keys`, () => post(path, keys(85_000)));
    yield of('C3', `${path}, 85,000 unknown keys, br`, () => post(path, keys(85_000), 'br'));
    yield of('C3', `${path}, 1,000 unknown keys`, () => post(path, keys(1_000)));
    yield of('C3', `${path}, router_id of 1,000 keys`, () =>
      post(path, { router_id: keys(1_000), object_id: record }),
    );
    yield of('C3', `${path}, router_id of 49 x 1,000 keys`, () => post(path, { router_id: manyObjects() }));
    yield of('C4', `${path}, 120,000 lists in 28 levels, br`, () => post(path, deepList(120_000), 'br'));
    yield of('C4', `${path}, 49,000 lists in 28 levels, br`, () => post(path, deepList(49_000), 'br'));
    yield of('C4', `${path}, router_id with 20,000 lists, br`, () =>
      post(path, `{"router_id":${deepList(20_000)}}`, 'br'),
    );
    yield of('M1', `${path}, constructor in router_id`, () =>
      post(path, { router_id: inherited, object_id: 'x' }),
    );
  }
  const simulate = '/dispatch/simulate';
  yield of('C3', `${simulate}, fields of 1,000 keys`, () =>
    post(simulate, { router_id, fields: keys(1_000) }),
  );
  yield of('C3', `${simulate}, fields with 49 x 1,000 keys`, () =>
    post(simulate, { router_id, fields: { first_name: manyObjects() } }),
  );
  yield of('M1', `${simulate}, field constructor`, () =>
    post(simulate, { router_id, fields: JSON.parse('{"constructor":"v"}') }),
  );
  yield of('M1', `${simulate}, fields __proto__`, () => post(simulate, { router_id, fields: inherited }));
  yield of('C4', '/dispatch/batch, object_ids of 49,000 lists', () =>
    post('/dispatch/batch', { router_id, object_ids: Array(49_000).fill([]) }),
  );
  yield of('C4', '/dispatch/batch, object_ids of 49,000 objects', () =>
    post('/dispatch/batch', { router_id, object_ids: Array(49_000).fill({}) }),
  );
  yield of('C4', '/dispatch/batch, object_ids of 49,000 constructors', () =>
    post('/dispatch/batch', { router_id, object_ids: Array(25_000).fill({ constructor: 1 }) }),
  );
  yield of('C4', '/dispatch/batch, 100 ids of nobody', () =>
    post('/dispatch/batch', { router_id, object_ids: Array(100).fill('x') }),
  );
  yield of('C4', '/dispatch/batch, 100 ids of 10,000 characters', () =>
    post('/dispatch/batch', { router_id, object_ids: Array(100).fill('x'.repeat(10_000)) }),
  );

  const contacts = '/contacts';
  yield of('C3', `${contacts}, 85,000 unknown keys`, () => post(contacts, keys(85_000)));
  yield of('C3', `${contacts}, 85,000 fields, br`, () => post(contacts, { fields: keys(85_000) }, 'br'));
  yield of('C4', `${contacts}, 1,000 unknown fields`, () => post(contacts, { fields: keys(1_000) }));
  yield of('C4', `${contacts}, 1 MiB of unknown fields`, () => post(contacts, { fields: unknownFields() }));
  yield of('C4', `${contacts}, 1 MiB of unknown fields, br`, () =>
    post(contacts, { fields: unknownFields() }, 'br'),
  );
  yield of('C4', `${contacts}, 1 MiB of unknown keys`, () => post(contacts, unknownFields()));
  yield of('C4', `${contacts}, fields in lists of 28 levels`, () =>
    post(contacts, `{"fields":{"first_name":${deepList(20_000)}}}`),
  );
  yield of('C4', `PATCH ${contacts}, 1,000 unknown fields`, () =>
    request('PATCH', `${contacts}/${record}`, { token, body: { fields: keys(1_000) } }),
  );
  yield of('M1', `${contacts}, inherited names`, () => post(contacts, { fields: inherited }));
  yield of('M1', `${contacts}, inherited names at the top`, () => post(contacts, inherited));
  for (const path of [contacts, '/deals', simulate]) {
    yield of('depth', `${path}, 500,000 levels`, () => post(path, '['.repeat(500_000)));
    yield of('depth', `${path}, 32 levels of objects`, () =>
      post(path, `${'{"a":'.repeat(31)}{}${'}'.repeat(31)}`),
    );
  }
  yield of('depth', `${contacts}, 1 MiB of white space`, () => post(contacts, ' '.repeat(MIB)));
  yield of('depth', `${contacts}, 1 MiB of commas`, () => post(contacts, `[${','.repeat(MIB - 2)}]`));
  yield of('depth', `${contacts}, 1 MiB of escapes`, () =>
    post(contacts, `["${'\\u0001'.repeat(170_000)}"]`),
  );
  yield* values(of, post, token, record);
}

/** Values that parsers of numbers, instants, hosts and e-mail addresses have to read. */
function* values(of, post, token, record) {
  const deal = (fields) =>
    post('/deals', { fields: { deal_name: 'Deal', pipeline: 'default', deal_stage: 'new', ...fields } });
  const contact = (fields) => post('/contacts', { fields: { first_name: 'Odd', ...fields } });
  const long = (text, count = 1_000_000) => text.repeat(Math.floor(count / text.length));
  yield of('values', 'number of 1,000,000 digits', () => deal({ amount: long('9') }));
  yield of('values', 'number of 16,000 digits', () => deal({ amount: long('9', 16_000) }));
  yield of('values', 'number of 16,000 zeroes behind the point', () =>
    deal({ amount: `1.${long('0', 16_000)}` }),
  );
  yield of('values', 'JSON number of 1,000,000 digits', () =>
    post(
      '/deals',
      `{"fields":{"deal_name":"x","pipeline":"default","deal_stage":"new","amount":${long('9')}}}`,
    ),
  );
  yield of('values', 'JSON number 1e308', () => deal({ amount: 1e308 }));
  yield of('values', 'date of 1,000,000 digits', () => deal({ close_date: long('2') }));
  yield of('values', 'date with 1,000,000 spaces', () => deal({ close_date: `Mon,${long(' ')}1 Jan 2024` }));
  yield of('values', 'date of 16,000 brackets', () =>
    deal({ close_date: `Mon, 1 Jan 2024 ${long('(', 16_000)}` }),
  );
  yield of('values', 'date beyond the calendar', () => deal({ close_date: 8.7e15 }));
  yield of('values', 'instant of 16,000 digits', () =>
    post('/dispatch/simulate', { router_id: 'x', at: `2024-01-01T00:00:00.${long('0', 16_000)}Z` }),
  );
  yield of('values', 'instant of 1,000,000 digits', () =>
    post('/dispatch/simulate', { router_id: 'x', at: `2024-01-01T00:00:00.${long('0')}Z` }),
  );
  yield of('values', 'e-mail of 1,000,000 letters', () => contact({ email: `${long('a')}@x.test` }));
  yield of('values', 'e-mail of 16,000 labels', () => contact({ email: `a@${long('a.', 16_000)}test` }));
  yield of('values', 'e-mail of 16,000 at signs', () => contact({ email: long('@', 16_000) }));
  yield of('values', 'website of 1,000,000 slashes', () => contact({ website_url: long('/') }));
  yield of('values', 'website of 16,000 labels', () =>
    contact({ website_url: `http://${long('a.', 16_000)}test` }),
  );
  yield of('values', 'website of 5,000 wide letters', () =>
    contact({ website_url: `http://${long('\u00fc.', 5_000)}de` }),
  );
  yield of('values', 'owner of 1,000,000 letters', () => contact({ contact_owner: long('a') }));
  yield of('values', 'option of 1,000,000 letters', () => contact({ lead_source: long('a') }));
  yield of('values', 'lone surrogates', () => contact({ first_name: '\ud800'.repeat(16_000) }));
  yield of('values', 'control characters in 4 fields', () =>
    contact(Object.fromEntries(TEXT_FIELDS.slice(0, 4).map((name) => [name, '\u0001'.repeat(2_600)]))),
  );
  yield of('values', 'combining characters in 3 fields', () =>
    contact(Object.fromEntries(TEXT_FIELDS.slice(0, 3).map((name) => [name, `a${'\u0301'.repeat(8_000)}`]))),
  );
  yield of('values', 'PATCH of 20 fields of 600 characters', () =>
    request('PATCH', `/contacts/${record}`, {
      token,
      body: { fields: Object.fromEntries(TEXT_FIELDS.map((name) => [name, long('x', 600)])) },
    }),
  );
}
