import { firstIdAt } from '../database/index.js';
import { FakeDatabase } from '../database/testing/fake-database.js';
import { AssignmentsRepository, type AssignmentFilters } from './assignments.repository.js';
import { listAssignments, type AssignmentFilter } from './assignments.statements.js';
import { logged } from './testing/logged.js';

const ACME = { accountId: 'acme' };
const log = new AssignmentsRepository();

let database: FakeDatabase;
beforeEach(() => (database = new FakeDatabase()));

describe('a page of the log', () => {
  const page = (filters: AssignmentFilters) => log.list(database.tx, ACME, { filters, limit: 2, offset: 4 });

  it('is its rows and the count of all that match [contract 6]', async () => {
    const rows = ['b', 'a'].map((id) => ({ ...logged(id), count: 9 }));
    database.answer('assignment_list', rows);
    expect(await page(new Map())).toEqual({ rows, count: 9 });
    expect(database.sent).toEqual([{ name: 'assignment_list', values: ['acme', 2, 4] }]);
  });

  it('is empty behind the last one, and knows the count [contract 3]', async () => {
    database.answer('assignment_list', [{ id: null, count: 3 }]);
    expect(await page(new Map())).toEqual({ rows: [], count: 3 });
    expect(await page(new Map())).toEqual({ rows: [], count: 0 });
  });

  it('is narrowed by several filters at once, each with its value [contract 6]', async () => {
    const filters = new Map<AssignmentFilter, string>([
      ['user', 'ada@acme.test'],
      ['object', 'record'],
    ]);
    await page(filters);
    expect(database.sent).toEqual([
      { name: 'assignment_list_user_object', values: ['acme', 2, 4, 'ada@acme.test', 'record'] },
    ]);
    const { text } = listAssignments([...filters.keys()]);
    expect(text.match(/AND user_email = \$4 AND object_id = \$5/g)).toHaveLength(2);
  });
});

describe('one entry of the log', () => {
  it('has its trace [contract 6]', async () => {
    const row = { ...logged('entry'), trace: [] };
    database.answer('assignment_find', [row]);
    expect(await log.find(database.tx, ACME, 'entry')).toEqual(row);
    expect(await log.find(database.tx, ACME, 'entry')).toBeUndefined();
    expect(database.sent[0]).toEqual({ name: 'assignment_find', values: ['acme', 'entry'] });
  });
});

describe('the traces of a range', () => {
  it('are dropped, and named in order, whatever order they were dropped in [contract 6]', async () => {
    database.answer('assignment_drop_traces', [{ id: 'c' }, { id: 'a' }, { id: 'b' }]);
    const range = { from: '0', before: '9', limit: 3 };
    expect(await log.dropTraces(database.tx, ACME, range)).toEqual(['a', 'b', 'c']);
    expect(database.sent).toEqual([{ name: 'assignment_drop_traces', values: ['acme', '0', '9', 3] }]);
  });
});

describe('the counts of assignments', () => {
  const at = (day: number): Date => new Date(Date.UTC(2026, 5, day));

  it("are asked for with each user's windows, and looked for from the earliest on [contract 4]", async () => {
    const counts = { hour: 1, day: 2, week: 3, month: 4 };
    database.answer('assignment_count_assigned', [{ email: 'ada@acme.test', ...counts }]);
    const windows = new Map([
      ['ada@acme.test', { hour: at(10), day: at(9), week: at(8), month: at(1) }],
      ['bob@acme.test', { hour: at(10), day: at(9), week: at(3), month: at(5) }],
      ['eve@acme.test', { hour: at(10), day: at(2), week: at(8), month: at(5) }],
      ['dan@acme.test', { hour: at(4), day: at(9), week: at(8), month: at(5) }],
    ]);
    expect(await log.countAssigned(database.tx, ACME, { windows, until: at(11) })).toEqual(
      new Map([['ada@acme.test', counts]]),
    );
    expect(database.sent).toEqual([
      {
        name: 'assignment_count_assigned',
        values: [
          'acme',
          [...windows.keys()],
          [10, 10, 10, 4].map(at),
          [9, 9, 2, 9].map(at),
          [8, 3, 8, 8].map(at),
          [1, 5, 5, 5].map(at),
          [1, 3, 2, 4].map((day) => firstIdAt(at(day))),
          at(11),
        ],
      },
    ]);
  });
});

describe('the last turn of a record', () => {
  it('is found among routers, and returned once [contract 4]', async () => {
    const turn = { id: 'entry', routerId: 'R', user: 'ada@acme.test', rotationKey: '', team: null, at: new Date(0) };
    database.answer('assignment_find_last_turn', [turn]);
    database.answer('assignment_mark_turn_returned', [{ id: 'entry' }]);
    const of = { objectId: 'record', routerIds: ['R', 'S'] };
    expect(await log.findLastTurn(database.tx, ACME, of)).toEqual(turn);
    expect(await log.findLastTurn(database.tx, ACME, of)).toBeUndefined();
    expect(await log.markTurnReturned(database.tx, ACME, 'entry')).toBe(true);
    expect(await log.markTurnReturned(database.tx, ACME, 'entry')).toBe(false);
    expect(database.sent[0]?.values).toEqual(['acme', 'record', ['R', 'S']]);
    expect(database.sent[2]?.values).toEqual(['acme', 'entry']);
  }); // prettier-ignore
});
