import { DateTime } from 'luxon';
import { createDemo } from '../../src/start/demo/demo.js';
import type { ApiClient } from '../support/api-client.js';
import { TestService } from '../support/test-service.js';

type Json = Record<string, any>;

let service: TestService;
let api: ApiClient;
let entries: Json[];
let users: ReadonlyMap<string, Json>;

beforeAll(async () => {
  service = await TestService.start({});
  const demo = await createDemo(service.app);
  expect(demo).toMatchObject({ clientId: expect.any(String), routerId: expect.any(String) });
  api = await service.login('demo', ['records:read', 'routers:read', 'manage']);
  entries = await allOf('/assignments');
  users = new Map((await allOf('/users')).map((user) => [user['email'] as string, user]));
});
afterAll(() => service.stop());

/** The items of all pages of a list. */
async function allOf(path: string): Promise<Json[]> {
  const items: Json[] = [];
  for (let after: string | null = ''; after !== null;) {
    const page = (await api.get(`${path}?limit=100${after === '' ? '' : `&after=${after}`}`)).body as Json;
    items.push(...page['data']);
    after = page['pagination'].next;
  }
  return items;
}

/** Whether an instant is within the blocks of working hours of a user, by the clock on their wall. */
function isAtWork({ timezone, working_hours: blocks }: Json, at: string): boolean {
  const now = DateTime.fromISO(at).setZone(timezone);
  return blocks.some(({ days, start, end }: Json) => {
    const [time, overnight] = [now.toFormat('HH:mm'), end <= start];
    const isOn = (when: DateTime): boolean =>
      days.includes(when.setLocale('en').toFormat('ccc').toLowerCase());
    if (!overnight) return isOn(now) && time >= start && time < end;
    return (isOn(now) && time >= start) || (isOn(now.minus({ days: 1 })) && time < end);
  });
}

const byTurn = ({ reason }: Json): boolean => ['round_robin', 'percentage', 'load_balanced'].includes(reason);

describe('the demo account', () => {
  it('has twelve people in three time zones, four routers, 300 records and a week of decisions', async () => {
    expect(users.size).toBe(12);
    expect(new Set([...users.values()].map(({ timezone }) => timezone)).size).toBe(3);
    expect((await allOf('/routers')).map(({ name }) => name)).toHaveLength(4);
    const counts = await Promise.all(
      ['contacts', 'companies', 'deals', 'tickets'].map((type) => api.get(`/${type}?limit=1`)),
    );
    expect(counts.reduce((sum, { body }) => sum + (body.pagination.count as number), 0)).toBe(300);
    expect(entries.length).toBeGreaterThan(250);
    const days = new Set(entries.map(({ created_at: at }) => at.slice(0, 10)));
    expect(days.size).toBeGreaterThanOrEqual(7);
  });

  it('gives records by turn only to people who were at work then, where routers mind that', async () => {
    const minding = new Set(
      (await allOf('/routers')).filter(({ settings }) => !settings.ignore_working_hours).map(({ id }) => id),
    );
    const turns = entries.filter((entry) => byTurn(entry) && minding.has(entry['router_id']));
    expect(turns.length).toBeGreaterThan(20);
    const wrong = turns.filter(({ user, created_at: at }) => !isAtWork(users.get(user)!, at));
    expect(wrong).toEqual([]);
  });

  it('keeps absences, the switch, limits and capacities at the instants of the decisions', () => {
    const turnsOf = (email: string): Json[] => entries.filter((one) => byTurn(one) && one['user'] === email);
    const [{ from }] = users.get('rosalind@demo.test')!['out_of_office'];
    expect(turnsOf('rosalind@demo.test').filter(({ created_at: at }) => at >= from)).toEqual([]);
    expect(turnsOf('charles@demo.test')).toEqual([]);
    const perDay = new Map<string, number>();
    for (const { created_at: at } of entries.filter(({ user }) => user === 'claude@demo.test')) {
      const day = DateTime.fromISO(at).setZone('America/New_York').toISODate()!;
      perDay.set(day, (perDay.get(day) ?? 0) + 1);
    }
    expect(Math.max(...perDay.values())).toBeLessThanOrEqual(3);
    const deals = entries.filter((one) => one['object_type'] === 'deals' && one['user'] === 'alan@demo.test');
    expect(deals).toHaveLength(8);
  });

  it('has records that are older than their assignments, with a history in that order', async () => {
    const { object_type: type, object_id: id, created_at: at } = entries.find(byTurn)!;
    const { body: record } = await api.get(`/${type}/${id}`);
    expect(record.created_at < at).toBe(true);
    const { body: history } = await api.get(`/${type}/${id}/history`);
    expect(history.data[0]).toMatchObject({ at, by: { kind: 'router' } });
    expect(history.data.at(-1)).toMatchObject({ at: record.created_at, by: { kind: 'import' } });
  });

  it('is made once', async () => {
    expect(await createDemo(service.app)).toBeUndefined();
  });
});
