// Services of its own: they keep no history, or not for long.
import { HistoryPruner } from '../../../src/records/history/history.pruner.js';
import type { ApiClient } from '../../support/api-client.js';
import { historyOf, inShort } from '../../support/history.js';
import { mail, people, router, RoutingAccount } from '../../support/routing-account.js';
import { sql } from '../../support/database/stored-records.js';
import { TestService } from '../../support/test-service.js';

const DAY = 86_400_000;

let service: TestService;
let off: TestService;

beforeAll(async () => {
  service = await TestService.start({ env: { HISTORY_RETENTION_DAYS: '30' } });
  off = await TestService.start({ database: service.database, env: { HISTORY: 'off' } });
});
afterAll(async () => {
  await off.stop();
  await service.stop();
});

const short = async (api: ApiClient, id: string): Promise<string[]> =>
  inShort(await historyOf(api, `/contacts/${id}`));

describe('HISTORY=off', () => {
  it('keeps no change, of whatever kind, and shows those that were kept before [contract 7]', async () => {
    const on = await RoutingAccount.open(service, {
      users: people(['ada']),
      routers: [router('R', {}, { users: people(['ada']) })],
    });
    const without = on.through(off);
    const before = await on.contact({ city: 'Oslo' });
    await on.api.patch(`/contacts/${before}`, { fields: { city: 'Rome' } });
    const kept = await short(on.api, before);
    expect(kept).toEqual(['city: Oslo → Rome', 'city: null → Oslo', 'first_name: null → Lead']);
    const id = await without.contact();
    for (const each of [before, id]) {
      await without.api.patch(`/contacts/${each}`, { fields: { city: 'Bern' } });
      expect(await without.assign('R', each)).toBe('ada');
      await without.api.delete(`/contacts/${each}`);
      await without.api.post(`/contacts/${each}/restore`);
    }
    expect(await short(without.api, id)).toEqual([]);
    expect(await short(without.api, before)).toEqual(kept);
    await on.api.patch(`/contacts/${id}`, { fields: { contact_owner: null, city: 'Graz' } });
    const again = await short(on.api, id);
    expect(again).toContain('city: Bern → Graz');
    expect(again).toContain(`contact_owner: ${mail('ada')} → null`);
    expect(again).toHaveLength(3);
  });

  it('leaves a creation that was kept, before the first change of the record and after it [contract 7]', async () => {
    const on = await service.login('creations');
    const api = await off.login('creations');
    const { body } = await on.post('/contacts', { fields: { first_name: 'Ada', city: 'Oslo' } });
    const created = await short(on, body.id);
    expect(created).toEqual(['city: null → Oslo', 'first_name: null → Ada']);
    expect(await short(api, body.id)).toEqual(created);
    for (const city of ['Rome', 'Bern']) {
      await api.patch(`/contacts/${body.id}`, { fields: { city } });
      expect(await short(api, body.id)).toEqual(created);
    }
    await on.patch(`/contacts/${body.id}`, { fields: { city: 'Graz' } });
    expect(await short(on, body.id)).toEqual(['city: Bern → Graz', ...created]);
  });

  it('shows no creation, which was not kept either, also when it is on again [contract 7]', async () => {
    const api = await off.login('quiet');
    const { body } = await api.post('/contacts', { fields: { first_name: 'Ada' } });
    expect(await short(api, body.id)).toEqual([]);
    const on = await service.login('quiet');
    expect(await short(on, body.id)).toEqual([]);
    await on.patch(`/contacts/${body.id}`, { fields: { city: 'Oslo' } });
    expect(await short(on, body.id)).toEqual(['city: null → Oslo']);
  });
});

describe('HISTORY_RETENTION_DAYS', () => {
  /** Makes all that was done to a record so many days older. */
  const age = async (id: string, days: number): Promise<void> => {
    const older = (at: string): string =>
      `${at} = (${at} AT TIME ZONE 'UTC' - $2 * interval '1 day') AT TIME ZONE 'UTC'`;
    const values = [id, days];
    await sql(service, `UPDATE record_changes SET ${older('at')} WHERE record_id = $1`, values);
    const set = `changed_by = changed_by, ${older('created_at')}, ${older('updated_at')}`;
    await sql(service, `UPDATE records SET ${set} WHERE id = $1`, values);
  };
  const pruned = (days = 0): Promise<number> =>
    service.app.get(HistoryPruner, { strict: false }).prune(new Date(Date.now() + days * DAY));

  it('hides and deletes what is older, of every account, and nothing else [contract 7]', async () => {
    await pruned();
    const ids: [ApiClient, string][] = [];
    for (const slug of ['acme', 'other']) {
      const api = await service.login(slug);
      const { body } = await api.post('/contacts', { fields: { first_name: 'Ada' } });
      await api.patch(`/contacts/${body.id}`, { fields: { city: 'Oslo' } });
      await age(body.id, 31);
      await api.patch(`/contacts/${body.id}`, { fields: { city: 'Rome' } });
      ids.push([api, body.id]);
    }
    for (const [api, id] of ids) expect(await short(api, id)).toEqual(['city: Oslo → Rome']);
    expect(await pruned()).toBe(4);
    expect(await pruned()).toBe(0);
    for (const [api, id] of ids) expect(await short(api, id)).toEqual(['city: Oslo → Rome']);
    expect(await pruned(31)).toBeGreaterThanOrEqual(2);
    for (const [api, id] of ids) expect(await short(api, id)).toEqual([]);
  });

  it('hides the creation of a record that was not changed since [contract 7]', async () => {
    const api = await service.login('acme');
    const { body } = await api.post('/contacts', { fields: { first_name: 'Ada' } });
    await age(body.id, 29);
    expect(await short(api, body.id)).toEqual(['first_name: null → Ada']);
    await age(body.id, 2);
    expect(await short(api, body.id)).toEqual([]);
  });

  it('deletes more than one statement does at once [contract 7]', async () => {
    const api = await service.login('acme');
    const { body } = await api.post('/contacts', { fields: { first_name: 'Ada' } });
    await sql(
      service,
      `INSERT INTO record_changes (account_id, record_id, at, by_kind, changes)
        SELECT account_id, id, now() - interval '40 days' - n * interval '1 second', 'system', '{"city": ["a", "b"]}'
        FROM records, generate_series(1, 2500) AS n WHERE id = $1`,
      [body.id],
    );
    expect(await pruned()).toBe(2500);
  });

  it('is unset by default: nothing is deleted', async () => {
    expect(await off.app.get(HistoryPruner, { strict: false }).prune(new Date(Date.now() + 1e5 * DAY))).toBe(
      0,
    );
  });
});
