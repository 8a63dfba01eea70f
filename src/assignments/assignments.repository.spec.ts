import { firstIdAt } from '../database/index.js';
import { FakeDatabase } from '../../test/units/fake-database.js';
import { AssignmentsRepository, type AssignmentFilters } from './assignments.repository.js';
import { listAssignments, type AssignmentFilter } from './assignments.list-statements.js';
import { monthStart } from './months/month.js';
import { logged } from '../../test/units/logged.js';

const ACME = { accountId: 'acme' };
const log = new AssignmentsRepository();

let database: FakeDatabase;
beforeEach(() => {
  database = new FakeDatabase();
  jest.spyOn(Date, 'now').mockReturnValue(Date.parse('2026-06-10T12:00:00Z'));
});
afterEach(() => jest.restoreAllMocks());

const LEAST = '00000000-0000-0000-0000-000000000000';
const GREATEST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
/** The first id of the month before. */
const MAY = monthStart(new Date('2026-05-01'), 0);
/** What a statement says that its page needs. */
const RECENT = { counted_from: MAY, from: MAY, to: GREATEST };

describe('a page of the log', () => {
  const page = (filters: AssignmentFilters, behind?: string) =>
    log.list(database.tx, ACME, { filters, limit: 2, offset: 4, behind });
  const found = (...ids: string[]) => ids.map((id) => ({ ...logged(id), count: 9, ...RECENT }));

  it('is its rows and the count of all that match [contract 6]', async () => {
    database.answer('assignment_list_offset', found('b', 'a'));
    expect(await page(new Map())).toEqual({ rows: [logged('b'), logged('a')], count: 9, more: true });
    expect(database.sent).toEqual([
      { name: 'assignment_plan_once', values: [] },
      { name: 'assignment_list_offset', values: ['acme', 2, MAY, MAY, GREATEST, 4] },
    ]);
  });

  it('is empty behind the last one, and knows the count [contract 3]', async () => {
    database.answer('assignment_list_offset', [{ id: null, count: 3, ...RECENT }]);
    expect(await page(new Map())).toEqual({ rows: [], count: 3, more: false });
    await expect(page(new Map())).rejects.toThrow('A page of the log has no row');
  });

  it('is read again where it needs other months than the last ones [contract 6]', async () => {
    const old = { counted_from: LEAST, from: '0170', to: '0180' };
    database.answer('assignment_list_offset', [{ id: null, count: 3, ...RECENT, from: '0170', to: '0180' }]);
    database.answer('assignment_list_offset', [{ id: null, count: 3, ...old }]);
    database.answer('assignment_list_offset', [{ ...logged('b'), count: 6, ...old, from: LEAST }]);
    expect(await page(new Map())).toEqual({ rows: [logged('b')], count: 6, more: true });
    expect(database.sent.slice(2).map(({ values }) => values)).toEqual([
      ['acme', 2, MAY, '0170', '0180', 4],
      // Somebody has taken entries out of the blocks meanwhile.
      ['acme', 2, LEAST, LEAST, GREATEST, 4],
    ]);
  });

  it('behind an entry reads one more, which says whether rows follow [contract 3]', async () => {
    const behind = firstIdAt(new Date('2026-03-10T12:00:00Z'));
    const from = monthStart(new Date('2026-02-01'), 0);
    const needs = (rows: readonly object[]) => rows.map((row) => ({ ...row, from, to: behind }));
    database.answer('assignment_list_after', needs(found('c', 'b', 'a')));
    database.answer('assignment_list_after', needs(found('b', 'a')));
    expect(await page(new Map(), behind)).toEqual({ rows: [logged('c'), logged('b')], count: 9, more: true });
    expect(await page(new Map(), behind)).toEqual({
      rows: [logged('b'), logged('a')],
      count: 9,
      more: false,
    });
    expect(database.sent[1]).toEqual({
      name: 'assignment_list_after',
      values: ['acme', 3, MAY, from, behind],
    });
  });

  it('is narrowed by several filters at once, each with its value [contract 6]', async () => {
    const filters = new Map<AssignmentFilter, string>([
      ['user', 'ada@acme.test'],
      ['object', 'record'],
    ]);
    database.answer('assignment_list_offset_user_object', [
      { ...logged('b'), count: 1, ...RECENT, from: LEAST, counted_from: LEAST },
    ]);
    await page(filters);
    expect(database.sent.slice(1)).toEqual([
      {
        name: 'assignment_list_offset_user_object',
        values: ['acme', 2, LEAST, LEAST, GREATEST, 4, 'ada@acme.test', 'record'],
      },
    ]);
    const { text } = listAssignments([...filters.keys()], 'offset');
    expect(text).toContain('AND a.user_email = $7 AND a.object_id = $8');
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
