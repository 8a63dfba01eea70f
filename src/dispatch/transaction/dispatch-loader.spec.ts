import { AssignmentsRepository } from '../../assignments/index.js';
import { configurationOf, routerOf, stored } from '../../../test/units/configuration.js';
import { FakeDatabase, type Sent } from '../../../test/units/fake-database.js';
import { encodeRotationState } from '../../engine/index.js';
import { user } from '../../../test/units/engine-fixtures.js';
import { storedContact } from '../../../test/units/stored-contact.js';
import { ACME, snapshotOf, snapshots } from '../../../test/units/decisions.js';
import { AssignmentHooks } from './assignment-hooks.js';
import { DispatchLoader, type Loaded } from './dispatch-loader.js';

const AT = 1_000_000;
const NO_RECORD = { id: null, object_type: null, fields: null };

const names = Array.from({ length: 10 }, (_, n) => `u${n}`);
const people = names.map((name) => ({ userId: `id-${name}` }));
const users = ['ada', ...names].map((name) => user(name));
const ROUTERS = [
  routerOf('R', ['ada'], { settings: stored({ reimburseWithinMinutes: 10 }) }),
  routerOf('S', ['ada'], { settings: stored({ overwrite: true }) }),
  routerOf('T', ['ada'], { settings: stored({ overwriteIfUnavailable: true, reimburseWithinMinutes: 5 }) }),
];

let database: FakeDatabase;
beforeEach(() => (database = new FakeDatabase()));

const loader = new DispatchLoader(snapshots(), new AssignmentHooks(), new AssignmentsRepository());

const row = (record: object, late: number, rotations: Record<string, unknown> | null = null): object => ({
  ...record,
  rotations,
  microseconds: (AT + late) * 1_000 + 1,
});

/** Loads for runs, given as the router and the record: `R a`. */
const load = async (asked: readonly string[], routers = ROUTERS): Promise<Loaded | undefined> => {
  const runs = asked.map((each) => {
    const [routerId = '', objectId = ''] = each.split(' ');
    return { routerId, objectId };
  });
  database.answer('account_lock', [{ config_version: '1' }]);
  return loader.load(database.tx, {
    account: ACME,
    configuration: configurationOf({ users, routers }),
    runs,
  });
};

describe('what is decided on', () => {
  const routers = [routerOf('R', ['ada']), routerOf('S', ['ada'])];

  it('is asked for by account, records and routers [5.3]', async () => {
    database.answer('dispatch_read_and_lock', [row(NO_RECORD, 0)]);
    const loaded = await load(['R a', 'S b'], routers);
    const read = { name: 'dispatch_read_and_lock', values: ['acme', ['a', 'b'], ['R', 'S'], [], 'contacts'] };
    expect(database.sent).toContainEqual(read);
    expect(loaded?.routers.map(({ records, rotation }) => [records, rotation.seq])).toEqual([
      [[], 0],
      [[], 0],
    ]);
  });

  it('is the records that exist, the rotations of the row that has them, and the latest clock [contract 4]', async () => {
    const state = encodeRotationState({ seq: 3, ledgers: new Map() }, '');
    const rows = [row(storedContact('a'), 5), row(storedContact('b'), 2, { S: state })];
    database.answer('dispatch_read_and_lock', rows);
    const loaded = await load(['R a', 'S b'], routers);
    expect(loaded?.routers.map(({ records, rotation }) => [records, rotation.seq])).toEqual([
      [[storedContact('a')], 0],
      [[storedContact('b')], 3],
    ]);
    expect(loaded?.microseconds).toBe((AT + 5) * 1_000 + 1);
  });

  it('is read without locks for a simulation [contract 6]', async () => {
    database.answer('dispatch_read_only', [row(storedContact('a'), 5, { R: { seq: 3, rotations: {} } })]);
    const read = await loader.readOnly(database.tx, snapshotOf({ users, routers }, 'R'), ['a']);
    expect(read).toMatchObject({ records: [storedContact('a')], rotation: { seq: 3 }, at: new Date(AT + 5) });
    expect(database.sent).toEqual([{ name: 'dispatch_read_only', values: ['acme', ['a'], ['R'], []] }]);
  });
});

describe('what a dispatch reads of assignments that are taken back', () => {
  const read = async (ids: readonly string[], of = ROUTERS): Promise<Sent[]> => {
    database.answer('dispatch_read_and_lock', [row(NO_RECORD, 0)]);
    const runs = ids.map((id) => `${id} ${id.toLowerCase()}`);
    await load(runs, of);
    return database.sent.filter(({ name }) => name.startsWith('assignment_'));
  };

  it('is the turns that its routers get, and who holds the records that they may take [contract 4]', async () => {
    expect(await read(['R', 'S', 'T'])).toEqual([
      { name: 'assignment_read_returned_turns', values: ['acme', ['R', 'T'], 1_000] },
      { name: 'assignment_find_last', values: ['acme', ['s', 't'], ['R', 'T']] },
    ]);
  });

  it('is fewer turns where the pool and the steps of a router have many members together [contract 8.1]', async () => {
    const steps = Array.from({ length: 20 }, () => ({ users: people, teams: [] }));
    const settings = { ...stored({ reimburseWithinMinutes: 10 }), steps };
    const [sent] = await read(['R'], [routerOf('R', names, { settings })]);
    expect(sent?.values).toEqual(['acme', ['R'], Math.floor(50_000 / (21 * 10))]);
  });

  it('is nothing where no router returns turns', async () => {
    expect(await read(['S'], [ROUTERS[1]!])).toEqual([]);
  });

  it('is no holders where no router may replace them', async () => {
    expect((await read(['R'])).map(({ name }) => name)).toEqual(['assignment_read_returned_turns']);
  });

  it('is holders alone where the router gets no turns', async () => {
    expect((await read(['S'])).map(({ name }) => name)).toEqual(['assignment_find_last']);
  });

  it('is the turns alone for a simulation, which takes no record', async () => {
    database.answer('dispatch_read_only', [row(NO_RECORD, 0)]);
    await loader.readOnly(database.tx, snapshotOf({ users, routers: ROUTERS }, 'T'), []);
    expect(database.events).toEqual(['dispatch_read_only', 'assignment_read_returned_turns']);
  });
});
