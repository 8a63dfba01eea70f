// Services of its own, at their default limits of time: clients come again where these are met.
import { historyOf, replayed } from '../support/history.js';
import { mail, people, router, RoutingAccount } from '../support/routing-account.js';
import { storedRecords } from '../support/database/stored-records.js';
import { storm } from '../support/storm.js';
import { TestService } from '../support/test-service.js';

let services: TestService[];

beforeAll(async () => {
  const first = await TestService.start({ obedient: true });
  services = [first, await TestService.start({ obedient: true, database: first.database })];
});
afterAll(async () => {
  for (const service of [...services].reverse()) await service.stop();
});

it('Each change of a record that many change at once begins where the one before ended [contract 7]', async () => {
  const first = await RoutingAccount.open(services[0]!, {
    users: people(['ada', 'bob']),
    routers: [router('R', { overwrite: true }, { users: people(['ada', 'bob']) })],
  });
  const both = [first, first.through(services[1]!)];
  const id = await first.contact();
  const statuses = await Promise.all(
    Array.from({ length: storm(96, 32) }, async (_, n): Promise<number> => {
      const { api } = both[n % 2]!;
      switch (n % 8) {
        case 0:
          return (await both[n % 2]!.dispatch('R', id)).status;
        case 1:
          return (await api.patch(`/contacts/${id}`, { fields: { contact_owner: mail('ada') } })).status;
        case 2:
          return (await api.delete(`/contacts/${id}`)).status;
        case 3:
          return (await api.post(`/contacts/${id}/restore`)).status;
        default:
          return (await api.patch(`/contacts/${id}`, { fields: { city: `city ${n}` } })).status;
      }
    }),
  );
  expect(statuses.filter((status) => ![200, 404, 409].includes(status))).toEqual([]);
  const changes = await historyOf(first.api, `/contacts/${id}`, 'limit=7');
  const [stored] = await storedRecords(services[0]!);
  const archived = stored!.archived_at === null ? {} : { archived: true };
  expect(replayed(changes)).toEqual({ ...stored!.fields, ...archived });
  const cities = changes.filter(({ field }) => field === 'city');
  expect(cities.length).toBeGreaterThan(0);
  expect(new Set(cities.map(({ request_id }) => request_id)).size).toBe(cities.length);
});
