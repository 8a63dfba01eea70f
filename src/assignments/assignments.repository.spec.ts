import { firstIdAt } from '../database/index.js';
import { FakeDatabase } from '../database/testing/fake-database.js';
import { AssignmentsRepository, type AssignmentFilters } from './assignments.repository.js';
import { listAssignments, type AssignmentFilter } from './assignments.list-statements.js';
import { logged } from './testing/logged.js';

const ACME = { accountId: 'acme' };
const log = new AssignmentsRepository();

let database: FakeDatabase;
beforeEach(() => (database = new FakeDatabase()));

describe('a page of the log', () => {
  const page = (filters: AssignmentFilters, behind?: string) =>
    log.list(database.tx, ACME, { filters, limit: 2, offset: 4, behind });
  const found = (...ids: string[]) => ids.map((id) => ({ ...logged(id), count: 9 }));

  it('is its rows and the count of all that match [contract 6]', async () => {
    database.answer('assignment_list_offset', found('b', 'a'));
    expect(await page(new Map())).toEqual({ rows: [logged('b'), logged('a')], count: 9, more: true });
    expect(database.sent).toEqual([
      { name: 'assignment_plan_once', values: [] },
      { name: 'assignment_list_offset', values: ['acme', 2, 4] },
    ]);
  });

  it('is empty behind the last one, and knows the count [contract 3]', async () => {
    database.answer('assignment_list_offset', [{ id: null, count: 3 }]);
    expect(await page(new Map())).toEqual({ rows: [], count: 3, more: false });
    expect(await page(new Map())).toEqual({ rows: [], count: 0, more: false });
  });

  it('behind an entry reads one more, which says whether rows follow [contract 3]', async () => {
    database.answer('assignment_list_after', found('c', 'b', 'a'));
    database.answer('assignment_list_after', found('b', 'a'));
    expect(await page(new Map(), 'd')).toEqual({ rows: [logged('c'), logged('b')], count: 9, more: true });
    expect(await page(new Map(), 'c')).toEqual({ rows: [logged('b'), logged('a')], count: 9, more: false });
    expect(database.sent[1]).toEqual({ name: 'assignment_list_after', values: ['acme', 3, 'd'] });
  });

  it('is narrowed by several filters at once, each with its value [contract 6]', async () => {
    const filters = new Map<AssignmentFilter, string>([
      ['user', 'ada@acme.test'],
      ['object', 'record'],
    ]);
    await page(filters);
    expect(database.sent.slice(1)).toEqual([
      { name: 'assignment_list_offset_user_object', values: ['acme', 2, 4, 'ada@acme.test', 'record'] },
    ]);
    const { text } = listAssignments([...filters.keys()], 'offset');
    expect(text.match(/AND a.user_email = \$4 AND a.object_id = \$5/g)).toHaveLength(2);
  });

  it('has the same statement each time, since the driver compares its text', () => {
    expect(listAssignments(['user'], 'after')).toBe(listAssignments(['user'], 'after'));
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
  const windows = new Map([
    ['ada@acme.test', { hour: at(10), day: at(9), week: at(8), month: at(1) }],
    ['bob@acme.test', { day: at(9) }],
  ]);
  const row = (email: string, span: string, count: number) => ({ email: `${email}@acme.test`, span, count });

  it("are asked for in each user's windows [contract 4]", async () => {
    database.answer('assignment_count_assigned', [
      row('ada', 'hour', 1),
      row('ada', 'month', 4),
      row('bob', 'day', 2),
    ]);
    expect(await log.countAssigned(database.tx, ACME, { windows, until: null })).toEqual(
      new Map([
        ['ada@acme.test', { hour: 1, day: 0, week: 0, month: 4 }],
        ['bob@acme.test', { hour: 0, day: 2, week: 0, month: 0 }],
      ]),
    );
    expect(database.sent).toEqual([
      {
        name: 'assignment_count_assigned',
        values: [
          'acme',
          [...windows.keys()],
          [at(10), null],
          [at(9), at(9)],
          [at(8), null],
          [at(1), null],
          [null, null],
          null,
          firstIdAt(at(0)),
        ],
      },
    ]);
  });

  it('are less what is later than their end, by a microsecond or more [contract 6]', async () => {
    database.answer('assignment_count_assigned', [row('bob', 'later', 3), row('bob', 'day', 5)]);
    const counts = await log.countAssigned(database.tx, ACME, { windows, until: at(11) });
    expect(counts.get('bob@acme.test')).toEqual({ hour: 0, day: 2, week: 0, month: 0 });
    const later = '2026-06-11T00:00:00.000001Z';
    expect(database.sent[0]?.values.slice(-3, -1)).toEqual([[later, later], at(11)]);
  });
});
