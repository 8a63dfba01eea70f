import fc from 'fast-check';
import { SCOPES } from '../../src/auth/index.js';
import type { ApiClient, ApiResponse } from '../support/api-client.js';
import { expectBadField } from '../support/error-object.js';
import { indexesDone } from '../support/database/index-keys.js';
import { OpenApiDocument } from '../support/openapi-document.js';
import { RECORD_TYPES } from '../support/record-types.js';
import { router } from '../support/routing-account.js';
import { seedOf, storm } from '../support/storm.js';
import { TestService } from '../support/test-service.js';

/** Altered cursors of each list. */
const ALTERED = storm(40);
const SEED = seedOf(3);

let service: TestService;
let api: ApiClient;
/** The paths of all lists that take `after`. */
let lists: string[];

beforeAll(async () => {
  service = await TestService.shared();
  const file = {
    slug: 'acme',
    users: [{ email: 'ada@acme.test' }],
    routers: [router('R', {}, { users: [{ email: 'ada@acme.test' }] })],
    fields: [
      { object_type: 'contacts', internal_name: 'score', type: 'number', indexed: true },
      { object_type: 'contacts', internal_name: 'seen', type: 'datetime', indexed: true },
      { object_type: 'contacts', internal_name: 'tier', type: 'enumeration', options: [{ internal_name: 'a' }] },
    ],
  }; // prettier-ignore
  await service.apply(JSON.stringify({ accounts: [file] }));
  api = await service.login('acme', [...SCOPES]);
  const ids = new Map<string, string>();
  for (const { type, minimal } of RECORD_TYPES) {
    const { status, body } = await api.post(`/${type}`, { fields: minimal });
    expect({ status, body }).toMatchObject({ status: 201 });
    ids.set(type, body.id);
  }
  for (const score of [1, 2.5, undefined])
    await api.post('/contacts', {
      fields: { first_name: `Zoë ${score}`, score, seen: score && '2026-01-01', tier: score && 'a', contact_owner: 'ada@acme.test' },
    }); // prettier-ignore
  ids.set('routers', (await api.get('/routers')).body.data[0].id);
  const document = await OpenApiDocument.of(service);
  lists = document.operations
    .filter(({ method, parameters }) => method === 'GET' && parameters.some(({ name }) => name === 'after'))
    .map(({ path }) => path.replace(/^\/(\w+)\/\{\w+\}/, (_, type: string) => `/${type}/${ids.get(type)}`));
  await api.post('/contacts/search', { sort: ['updated_at'] });
  await indexesDone(service);
});
afterAll(() => service.stop());

/** What a part of a cursor may be changed to. */
const HOSTILE = [
  '',
  'x',
  '\u0000',
  '\ud800',
  '-',
  '-1',
  '1e999',
  'NaN',
  'Infinity',
  '9'.repeat(1_000),
  `0.${'0'.repeat(1_000)}1`,
  '9'.repeat(16),
  '99999999999999999999',
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  'infinity',
  '-infinity',
  'now',
  '0000-01-01 00:00:00+00',
  '0001-01-01 00:00:00+15',
  '9999-12-31 23:59:59.999999-15',
  '2026-13-45 99:99:99+00',
  '2026-00-01 00:00:00+00',
  '2026-02-29 00:00:00+00',
  '2024-02-29 00:00:00+00',
  '2026-04-31 00:00:00+00',
  '2026-01-01 24:00:00+00',
  '2026-01-01 23:60:00+00',
  '2026-01-01 23:59:60+00',
  '2026-01-01 00:00:00+99',
  '2026-01-01 00:00:00+15:99',
  '2026-01-01 00:00:00-16',
  '2026-01-01T00:00:00.000Z',
];
const text = (bytes: Uint8Array | string): string => Buffer.from(bytes).toString('base64url');

const decoded = (cursor: string): string => Buffer.from(cursor, 'base64url').toString();
const withLast = (cursor: string, word: string): string =>
  text(decoded(cursor).replace(/[^ ]+$/, () => word));
const withFirst = (cursor: string, word: string): string =>
  text(decoded(cursor).replace(/^[^ ]+/, () => word));

/** A cursor of which characters, bytes or parts differ. */
const altered = (cursor: string): fc.Arbitrary<string> => {
  const bytes = Buffer.from(cursor, 'base64url');
  const at = fc.nat(cursor.length - 1);
  const atByte = fc.nat(bytes.length - 1);
  return fc.oneof(
    fc.tuple(at, fc.constantFrom('', 'A', '_', '=', '%', ' ', 'é')).map(([index, other]) => cursor.slice(0, index) + other + cursor.slice(index + 1)),
    fc.tuple(atByte, fc.nat(255)).map(([index, byte]) => text(bytes.map((old, n) => (n === index ? byte : old)))),
    fc.tuple(atByte, fc.constantFrom('0', '9', '-', '+', ':', ' ', '"', '[', ',')).map(([index, other]) => text(bytes.map((old, n) => (n === index ? other.charCodeAt(0) : old)))),
    fc.uint8Array({ minLength: bytes.length, maxLength: bytes.length }).map(text),
    fc.constantFrom(0, 255).map((byte) => text(bytes.map(() => byte))),
    fc.constantFrom(...HOSTILE).map((word) => withLast(cursor, word)),
    fc.constantFrom(...HOSTILE).map((word) => withFirst(cursor, word)),
    fc.constant('['.repeat(9_000)).map(text),
  ); // prettier-ignore
};

/** The cursors of a search of which a part is another one. */
const alteredParts = (cursor: string): string[] => {
  const parts = JSON.parse(decoded(cursor)) as unknown[];
  const others = [...HOSTILE, null, true, 1e21, [], {}];
  return parts.flatMap((_, index) => others.map((other) => text(JSON.stringify(parts.with(index, other)))));
};

/** A cursor finds a page, or is refused as one. */
function expectPage(answer: ApiResponse, what: object): void {
  if (answer.status === 400) return expectBadField(answer, 'after');
  expect({ ...what, status: answer.status, body: answer.body }).toMatchObject({ ...what, status: 200 });
}

it('A list answers any cursor with a page or 400 [contract 3, contract 7]', async () => {
  expect(lists).toHaveLength(18);
  for (const list of lists) {
    const first = await api.get(`${list}?limit=1`);
    expect(first.status).toBe(200);
    const cursor: string = first.body.pagination.next ?? text(Buffer.alloc(16, 7));
    const words =
      list === lists[0] ? HOSTILE.flatMap((word) => [withLast(cursor, word), withFirst(cursor, word)]) : [];
    for (const after of [...words, ...fc.sample(altered(cursor), { numRuns: ALTERED, seed: SEED })])
      expectPage(await api.get(`${list}?limit=1&after=${encodeURIComponent(after)}`), { list, after });
  }
});

it.each([
  [[]],
  [['-created_at']],
  [['updated_at']],
  [['-updated_at']],
  [['score']],
  [['-score', 'updated_at']],
  [['seen', 'tier']],
  [['tier', 'created_at']],
  [['-contact_owner', 'first_name']],
])('A search answers any cursor with a page or 400: sort %j [contract 7]', async (sort) => {
  for (let after: string | null = null, pages = 0; pages < 4; pages++) {
    const { status, body } = await api.post('/contacts/search', { sort, limit: 1, after });
    expect(status).toBe(200);
    const cursor: string = (after = body.pagination.next ?? after);
    const drawn = [
      ...fc.sample(altered(cursor), { numRuns: Math.ceil(ALTERED / 4), seed: SEED + pages }),
      ...(pages === 0 || ALTERED >= HOSTILE.length ? alteredParts(cursor) : []),
    ];
    for (const each of drawn)
      expectPage(await api.post('/contacts/search', { sort, limit: 1, after: each }), { sort, after: each });
  }
});
