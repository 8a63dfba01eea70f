import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiResponse } from '../../support/api-client.js';
import { historyOf, replayed } from '../../support/history.js';
import { Programs } from '../../support/processes/program.js';
import { mail, people, router, RoutingAccount } from '../../support/routing-account.js';
import { storedRecords } from '../../support/database/stored-records.js';
import { storm } from '../../support/storm.js';
import { TestService } from '../../support/test-service.js';

const programs = new Programs();
let service: TestService;

beforeAll(async () => {
  service = await TestService.shared();
});
afterEach(() => programs.end());
afterAll(() => service.stop());

/** Numbers that depend on the seed alone (mulberry32). */
function drawing(seed: number): (most: number) => number {
  let state = seed;
  return (most) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % most;
  };
}

const STEPS = 120;
const KEYS = Array.from({ length: 6 }, (_, n) => `key-${n}`);
const USERS = ['ada', 'bob', 'eve'];

it.each([1, 2, 3].slice(0, storm(3)))(
  'Replayed from nothing, the history is the record, whatever was done to it: seed %d [contract 7]',
  async (seed) => {
    const draw = drawing(seed);
    const pick = <T>(values: readonly T[]): T => values[draw(values.length)]!;
    const account = await RoutingAccount.open(service, {
      users: people(USERS),
      routers: [
        router(
          'Inbound',
          { overwrite: true, reimburse_within_minutes: 60, rotation_type: 'users' },
          { users: people(USERS) },
        ),
      ],
    });
    const { api, slug } = account;
    const cwd = programs.folder();
    const ids: string[] = [];
    const done: Record<string, number> = {};

    const fields = (): object => {
      const all: Record<string, unknown> = {
        first_name: pick(['Ada', 'Grace', 'Mary']),
        city: pick([null, 'Oslo', 'Rome', '']),
        phone: pick([null, '1', '2', 3]),
        contact_owner: pick([null, ...USERS.map(mail)]),
        lead_source: pick([null, 'referral']),
      };
      const names = Object.keys(all).filter(() => draw(2) === 0);
      return Object.fromEntries(['first_name', ...names].map((name) => [name, all[name]]));
    };
    const some = (): string[] => Array.from({ length: 1 + draw(4) }, () => pick(ids));
    const batch = (action: string, inputs: readonly object[], more: object = {}): Promise<ApiResponse> =>
      api.post(`/contacts/batch/${action}`, { inputs, atomic: draw(3) === 0, ...more });
    const importFile = async (router: readonly string[]): Promise<ApiResponse> => {
      const rows = KEYS.filter(() => draw(2) === 0).map((external_id) => ({ ...fields(), external_id }));
      writeFileSync(join(cwd, 'x.ndjson'), `${rows.map((row) => JSON.stringify(row)).join('\n')}\n`);
      const args = ['--account', slug, '--type', 'contacts', '--file', 'x.ndjson', '--key', 'external_id'];
      const env = { DATABASE_URL: service.database.url };
      const { code, stderr } = await programs.cli(['import', ...args, ...router], env, { cwd });
      return { status: code === 0 ? 200 : 500, body: stderr, headers: new Headers() };
    };

    const steps: Readonly<Record<string, () => Promise<ApiResponse>>> = {
      create: () => api.post('/contacts', { fields: fields() }),
      update: () => api.patch(`/contacts/${pick(ids)}`, { fields: fields() }),
      upsert: () => api.put(`/contacts/${pick(KEYS)}?id_property=external_id`, { fields: fields() }),
      archive: () => api.delete(`/contacts/${pick(ids)}`),
      restore: () => api.post(`/contacts/${pick(ids)}/restore`),
      take: () => api.patch(`/contacts/${pick(ids)}`, { fields: { contact_owner: mail(pick(USERS)) } }),
      dispatch: () => account.dispatch('Inbound', pick(ids)),
      dispatchBatch: () => account.batch('Inbound', some()),
      repeat: () =>
        api.patch(
          `/contacts/${pick(ids)}`,
          { fields: fields() },
          { headers: { 'Idempotency-Key': `${seed}-${draw(5)}` } },
        ),
      batchCreate: () => batch('create', [{ fields: fields() }, { fields: { external_id: pick(KEYS) } }]),
      batchUpdate: () =>
        batch(
          'update',
          some().map((id) => ({ id, fields: fields() })),
        ),
      batchUpsert: () =>
        batch(
          'upsert',
          [pick(KEYS), pick(KEYS)].map((id) => ({ id, fields: fields() })),
          { id_property: 'external_id' },
        ),
      batchArchive: () =>
        batch(
          'archive',
          some().map((id) => ({ id })),
        ),
      batchRestore: () =>
        batch(
          'restore',
          some().map((id) => ({ id })),
        ),
    };

    const note = (name: string, { status, body }: ApiResponse): void => {
      if (status >= 500) throw new Error(`${name}: ${status} ${JSON.stringify(body)}`);
      if (status < 300) done[name] = (done[name] ?? 0) + 1;
      const created = [body?.id, ...(body?.results ?? []).map((each: any) => each.record?.id)];
      for (const id of created) if (typeof id === 'string' && !ids.includes(id)) ids.push(id);
    };
    for (let n = 0; n < 4; n++) note('create', await steps['create']!());
    const names = Object.keys(steps);
    for (let n = 0; n < STEPS; n++) {
      const name = pick(names);
      note(name, await steps[name]!());
      if (n % 40 === 20) note('import', await importFile([]));
      if (n % 80 === 60) note('importAndDispatch', await importFile(['--router', 'Inbound']));
    }
    // Each kind of write has happened.
    expect(Object.keys(done).sort()).toEqual([...names, 'import', 'importAndDispatch'].sort());

    const all = await storedRecords(service);
    const { body: list } = await api.get('/contacts?limit=100&archived=true');
    const mine = new Set(list.data.map(({ id }: { id: string }) => id));
    const kinds = new Set<string>();
    expect(mine.size).toBeGreaterThan(10);
    for (const { id, fields: stored, archived_at } of all.filter((record) => mine.has(record.id))) {
      const changes = await historyOf(api, `/contacts/${id}`, `limit=${1 + draw(100)}`);
      for (const { by } of changes) kinds.add(by.kind);
      expect(replayed(changes)).toEqual(archived_at === null ? stored : { ...stored, archived: true });
    }
    expect([...kinds].sort()).toEqual(['client', 'import', 'router']);
  },
  120_000,
);
