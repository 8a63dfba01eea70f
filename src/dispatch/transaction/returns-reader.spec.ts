import { ReturnedAssignmentsRepository } from '../../assignments/index.js';
import { routerOf, stored } from '../../../test/units/configuration.js';
import { FakeDatabase } from '../../../test/units/fake-database.js';
import { user } from '../../../test/units/engine-fixtures.js';
import { ACME, snapshotOf } from '../../../test/units/decisions.js';
import { alone, ReturnsReader } from './returns-reader.js';

const reader = new ReturnsReader(new ReturnedAssignmentsRepository());
const routers = [
  routerOf('R', ['ada'], { settings: stored({ reimburseWithinMinutes: 10 }) }),
  routerOf('S', ['ada'], { settings: stored({ overwrite: true }) }),
  routerOf('T', ['ada'], { settings: stored({ overwriteIfUnavailable: true, reimburseWithinMinutes: 5 }) }),
];
const snapshot = (id: string, of = routers) =>
  snapshotOf({ users: ['ada', ...names].map((name) => user(name)), routers: of }, id);

const names = Array.from({ length: 10 }, (_, n) => `u${n}`);
const people = names.map((name) => ({ userId: `id-${name}` }));

const read = async (ids: readonly string[], of = routers) => {
  const database = new FakeDatabase();
  await reader.read(database.tx, {
    account: ACME,
    snapshots: new Map(ids.map((id) => [id, snapshot(id, of)])),
    runs: ids.map((routerId) => ({ routerId, objectId: `of ${routerId}` })),
  });
  return database.sent;
};

describe('what a dispatch reads of assignments that are taken back', () => {
  it('is the turns that its routers get, and who holds the records that they may take [contract 4]', async () => {
    expect(await read(['R', 'S', 'T'])).toEqual([
      { name: 'assignment_read_returned_turns', values: ['acme', ['R', 'T'], 1_000] },
      { name: 'assignment_find_last', values: ['acme', ['of S', 'of T'], ['R', 'T']] },
    ]);
  });

  it('is fewer turns where the pool and the steps of a router have many members together [contract 8.1]', async () => {
    const steps = Array.from({ length: 20 }, () => ({ users: people, teams: [] }));
    const settings = { ...stored({ reimburseWithinMinutes: 10 }), steps };
    const [sent] = await read(['R'], [routerOf('R', names, { settings })]);
    expect(sent?.values).toEqual(['acme', ['R'], Math.floor(50_000 / (21 * 10))]);
  });

  it('is nothing where no router returns turns, and no holders where none may replace them', async () => {
    expect(await read(['S'], [routers[1]!])).toEqual([]);
    expect((await read(['R'])).map(({ name }) => name)).toEqual(['assignment_read_returned_turns']);
    expect((await read(['S'])).map(({ name }) => name)).toEqual(['assignment_find_last']);
  });

  it('is the turns alone for a simulation, which takes no record', async () => {
    const database = new FakeDatabase();
    await reader.read(database.tx, alone(snapshot('T')));
    expect(database.events).toEqual(['assignment_read_returned_turns']);
  });
});
