import fc from 'fast-check';
import { parseConfigurationFile } from '../../../src/management/index.js';
import type { ApiClient } from '../../support/api-client.js';
import { exported } from '../../support/configuration-file.js';
import { mail, people, router, RoutingAccount } from '../../support/routing-account.js';
import { seedOf, storm } from '../../support/storm.js';
import { TestService } from '../../support/test-service.js';

let service: TestService;
let account: RoutingAccount;
let admin: ApiClient;

beforeAll(async () => {
  service = await TestService.shared();
  account = await RoutingAccount.open(service, {
    users: people(['ada']),
    fields: [{ object_type: 'contacts', internal_name: 'seen', type: 'datetime' }],
    routers: [router('R', {}, { users: people(['ada']) })],
  });
  admin = await service.login(account.slug, ['manage']);
});
afterAll(() => service.stop());

const two = (value: number): string => String(value).padStart(2, '0');

/** Forms in which an instant of whole seconds is written, each with its offset. */
const FORMS: readonly ((at: Date, minutes: number) => string)[] = [
  (at) => at.toISOString(),
  (at) => at.toISOString().replace('T', ' ').replace('.000Z', '+00'),
  (at) => at.toISOString().replace('.000Z', ''),
  (at) => at.toISOString().replace(/[-:]|\.000/g, ''),
  (at) => at.toISOString().replace('.000Z', ',0000z').toLowerCase(),
  (at) => at.toUTCString(),
  (at) => String(at.getTime() / 1000),
  (at) => String(at.getTime()),
  (at, minutes) => {
    const local = new Date(at.getTime() + minutes * 60_000).toISOString().slice(0, 19);
    const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
    return `${local}${minutes < 0 ? '-' : '+'}${two(hours)}:${two(rest)}`;
  },
  (at) => {
    const begin = Date.UTC(at.getUTCFullYear(), 0, 1);
    const day = Math.floor((at.getTime() - begin) / 86_400_000) + 1;
    return `${at.getUTCFullYear()}-${String(day).padStart(3, '0')}T${at.toISOString().slice(11, 19)}Z`;
  },
  (at) => {
    const day = at.getUTCDay() || 7;
    const thursday = new Date(at.getTime() + (4 - day) * 86_400_000);
    const week =
      Math.floor((thursday.getTime() - Date.UTC(thursday.getUTCFullYear(), 0, 1)) / 604_800_000) + 1;
    return `${thursday.getUTCFullYear()}-W${two(week)}-${day}T${at.toISOString().slice(11, 19)} UTC`;
  },
];

const written = fc
  .record({
    // Numeric timestamps have nine digits from 1973 on.
    seconds: fc.integer({ min: 200_000_000, max: 4_000_000_000 }),
    form: fc.constantFrom(...FORMS),
    minutes: fc.integer({ min: -12 * 60, max: 14 * 60 }),
  })
  .map(({ seconds, form, minutes }) => {
    const at = new Date(seconds * 1000);
    return { text: form(at, minutes), at: at.toISOString() };
  });

/** Whether Ada gets a contact at an instant. */
const isThere = async (at: string): Promise<boolean> =>
  (await account.simulate('R', { fields: { first_name: 'A' }, at })).body.success;

const before = (at: string): string => new Date(Date.parse(at) - 1_000).toISOString();

it('An instant is the same one wherever it is accepted, in whatever form [contract 3]', async () => {
  const { api } = account;
  const runs = fc.sample(written, { numRuns: storm(200, 20), seed: seedOf(34) });
  for (const { text, at } of runs) {
    const made = await api.post('/contacts?properties=seen', { fields: { first_name: 'A', seen: text } });
    expect({ text, stored: made.body.seen }).toEqual({ text, stored: at });
    const filter = { groups: [{ conditions: [{ field: 'seen', operator: 'eq', value: text }] }] };
    const found = await api.post('/contacts/search', { filter });
    expect(found.body.data.map(({ id }: { id: string }) => id)).toContain(made.body.id);
    // A trigger and an absence of a file, `at` of a simulation.
    const line = JSON.stringify(text);
    const [file] = parseConfigurationFile(`accounts:
  - slug: acme
    users: [{ email: ${mail('ada')}, out_of_office: [{ from: ${line}, to: "9999-12-31T00:00:00Z" }] }]
    routers: [{ name: R, object_type: contacts, settings: { trigger: { groups: [{ conditions: [
      { field: seen, operator: lte, value: ${line} }] }] } } }]`).accounts;
    const { slug: _, ...part } = file!;
    await account.apply(part);
    expect((await exported(account)).users[0].out_of_office[0].from).toBe(at);
    const matches = await account.simulate('R', { fields: { first_name: 'A', seen: at }, at: text });
    expect({ text, reason: matches.body.reason }).toEqual({ text, reason: 'no_users_available' });
    const later = new Date(Date.parse(at) + 1).toISOString();
    const other = await account.simulate('R', { fields: { first_name: 'A', seen: later }, at: text });
    expect({ text, reason: other.body.reason }).toEqual({ text, reason: 'trigger_not_matched' });
    await account.apply({
      routers: [{ name: 'R', object_type: 'contacts', settings: { trigger: { groups: [] } } }],
    });
    expect([text, await isThere(before(at)), await isThere(text)]).toEqual([text, true, false]);
    const from = await admin.get(`/audit?limit=1&to=${encodeURIComponent(at)}`);
    const same = await admin.get(`/audit?limit=1&to=${encodeURIComponent(text)}`);
    expect({ text, body: same.body }).toEqual({ text, body: from.body });
    await api.delete(`/contacts/${made.body.id}`);
  }
});
