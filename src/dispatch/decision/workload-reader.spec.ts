import type { AssignmentsRepository, NewestRange } from '../../assignments/index.js';
import { capacity, routerOf } from '../../../test/units/configuration.js';
import type { Queryable } from '../../database/index.js';
import { limitWindows } from '../../directory/index.js';
import { NOTHING_ASSIGNED, type Needs } from '../../engine/index.js';
import { NOON, user } from '../../../test/units/engine-fixtures.js';
import type { OwnedRecordsRepository } from '../../records/index.js';
import type { RouterSnapshot } from '../snapshot/router-snapshots.js';
import { snapshotOf } from '../../../test/units/decisions.js';
import { requiredUsers, WorkloadReader, type WorkloadReads } from './workload-reader.js';

const db = {} as Queryable;
const [ADA, BOB, EVE] = ['ada', 'bob', 'eve'].map((name) => `${name}@acme.test`) as [string, string, string];

const ada = user('ada', { limits: { day: 5, window: 'calendar' }, timezone: 'Asia/Tokyo' });
const snapshot = snapshotOf(
  {
    users: [ada, user('bob', { limits: { hour: 1, month: 0 } })],
    capacities: [capacity('Leads'), capacity('Unused'), capacity('Paris', { field: 'city', values: ['Paris'] })],
    routers: [routerOf('R', ['ada', 'bob'])],
  },
  'R',
); // prettier-ignore

/** Counts what the tests say, and notes what it was asked. */
class FakeCounts {
  readonly asked: unknown[] = [];
  readonly needed: unknown[] = [];
  assigned: ReadonlyMap<string, readonly number[]> = new Map();

  need(account: unknown, { version, counted }: RouterSnapshot): void {
    this.needed.push([account, version, counted]);
  }

  newest(
    queryable: unknown,
    { accountId }: { accountId: string },
    query: { ranges: ReadonlyMap<string, NewestRange>; until: Date | null },
  ): Promise<ReadonlyMap<string, readonly number[]>> {
    expect([queryable, accountId]).toEqual([db, 'acme']);
    this.asked.push(['assigned', query]);
    return Promise.resolve(this.assigned);
  }

  count(
    _: unknown,
    { accountId }: { accountId: string },
    { objectType, ownerField, owners, having }: any,
  ): Promise<ReadonlyMap<string, number>> {
    this.asked.push([accountId, objectType, ownerField, owners, having?.field]);
    return Promise.resolve(new Map([[ADA, having === undefined ? 7 : having.values.length]]));
  }
}

let counts: FakeCounts;
beforeEach(() => (counts = new FakeCounts()));

const read = (required: Partial<Needs>, reads: Partial<WorkloadReads> = {}, of: RouterSnapshot = snapshot) =>
  new WorkloadReader(
    counts as unknown as AssignmentsRepository,
    counts as unknown as OwnedRecordsRepository,
  ).read(
    of,
    { assigned: [], owned: [], capacities: new Map(), ...required },
    { db, at: NOON, until: null, ...reads },
  );

describe('WorkloadReader', () => {
  it('counts for a user with another e-mail what rows have by the stored name [contract 6]', async () => {
    const renamed = snapshotOf(
      {
        users: [user('eve', { storedAs: ADA, limits: { hour: 9 } })],
        capacities: [capacity('Leads')],
        routers: [routerOf('R', ['eve'])],
      },
      'R',
    );
    counts.assigned = new Map([[user('eve').id, [3]]]);
    const all = { assigned: [EVE], owned: [EVE], capacities: new Map([['Leads', [EVE]]]) };
    const found = await read(all, {}, renamed);
    expect(found.get(EVE)).toEqual({
      assigned: { newest: [3], since: limitWindows({ timezone: 'UTC', limits: null }, NOON) },
      owned: 7,
      capacities: new Map([['Leads', 1]]),
    });
    expect([...found.keys()]).toEqual([EVE]);
  });

  it('reads nothing where nothing is required', async () => {
    expect((await read({})).size).toBe(0);
    expect(counts.asked).toEqual([]);
  });

  it('says what the configuration lets count, so that it is counted in advance', async () => {
    await read({});
    expect(counts.needed).toEqual([[{ accountId: 'acme' }, snapshot.version, snapshot.counted]]);
  });

  it('reads as many assignments as limits depend on, of users who exist, since the first window [contract 4]', async () => {
    counts.assigned = new Map([[user('bob').id, [4, 3]]]);
    const until = new Date(0);
    const workloads = await read({ assigned: [ADA, BOB, EVE] }, { until, mayReturn: 3 });
    const ranges = new Map([
      [ada.id, { since: new Date(limitWindows(ada, NOON).day), most: 5 + 3 }],
      [
        user('bob').id,
        { since: new Date(limitWindows({ timezone: 'UTC', limits: null }, NOON).month), most: 1 + 3 },
      ],
    ]);
    expect(counts.asked).toEqual([['assigned', { ranges, until }]]);
    expect([...workloads].map(([email, { assigned, owned }]) => [email, assigned, owned])).toEqual([
      [ADA, { newest: [], since: limitWindows(ada, NOON) }, 0],
      [BOB, { newest: [4, 3], since: limitWindows({ timezone: 'UTC', limits: null }, NOON) }, 0],
      [EVE, NOTHING_ASSIGNED, 0],
    ]);
  });

  it('reads no assignments of users who are all unknown', async () => {
    expect((await read({ assigned: [EVE] })).get(EVE)?.assigned).toEqual(NOTHING_ASSIGNED);
    expect(counts.asked).toEqual([]);
  });

  it("counts records by the router's type and owner field [contract 4]", async () => {
    const workloads = await read({ owned: [ADA, BOB] });
    expect(counts.asked).toEqual([['acme', 'contacts', 'contact_owner', [ADA, BOB], undefined]]);
    expect([...workloads].map(([email, { owned }]) => [email, owned])).toEqual([[ADA, 7], [BOB, 0]]); // prettier-ignore
  });

  it('counts by each capacity that is required, for those whom it caps [contract 4]', async () => {
    const capacities = new Map([
      ['Paris', [ADA, BOB]],
      ['Leads', [ADA]],
    ]);
    const workloads = await read({ capacities });
    expect(counts.asked).toEqual([
      ['acme', 'contacts', 'contact_owner', [ADA], 'lifecycle_stage'],
      ['acme', 'contacts', 'contact_owner', [ADA, BOB], 'city'],
    ]);
    expect(workloads.get(ADA)?.capacities).toEqual(new Map([['Leads', 1], ['Paris', 1]])); // prettier-ignore
    expect(workloads.get(BOB)?.capacities).toEqual(new Map([['Leads', 0], ['Paris', 0]])); // prettier-ignore
  });

  it('names every user whose counts are relied on, each once', () => {
    const capacities = new Map([['Leads', [ADA, EVE]]]);
    expect(requiredUsers({ assigned: [ADA], owned: [BOB, ADA], capacities })).toEqual([ADA, BOB, EVE]);
  });
});
