import { firstIdAt } from '../../database/index.js';
import { FakeDatabase } from '../../../test/units/fake-database.js';
import { ReturnedAssignmentsRepository } from './returned-assignments.repository.js';

const ACME = { accountId: 'acme' };
const returned = new ReturnedAssignmentsRepository();

let database: FakeDatabase;
/** A day before what the longest of the routers returns, because clocks differ. */
const LEAST = firstIdAt(new Date('2026-06-09T11:00:00Z'));

beforeEach(() => {
  database = new FakeDatabase();
  jest.spyOn(Date, 'now').mockReturnValue(Date.parse('2026-06-10T12:00:00Z'));
});
afterEach(() => jest.restoreAllMocks());

describe('assignments that may be taken back', () => {
  it('are found by record, among the routers that return turns [contract 4]', async () => {
    const held = {
      id: 'entry',
      objectId: 'a',
      routerId: 'R',
      user: 'ada@acme.test',
      at: new Date(0),
      rotationKey: '',
      team: null,
    };
    database.answer('assignment_find_held', [held]);
    const of = {
      objectIds: ['a', 'b'],
      minutes: new Map([
        ['R', 10],
        ['S', 60],
      ]),
    };
    expect(await returned.findHeld(database.tx, ACME, of)).toEqual(new Map([['a', held]]));
    expect(database.sent).toEqual([
      { name: 'assignment_find_held', values: ['acme', ['a', 'b'], ['R', 'S'], LEAST] },
    ]);
  });
});

describe('returned turns', () => {
  it('are read by router, a thousand at a time [contract 4]', async () => {
    const turn = { id: 'entry', routerId: 'R', rotationKey: '', team: null, oldOwner: 'a', newOwner: null };
    database.answer('assignment_read_returned_turns', [turn]);
    expect(await returned.readTurns(database.tx, ACME, ['R'])).toEqual([turn]);
    expect(database.sent[0]?.values).toEqual(['acme', ['R'], 1_000]);
  });
});

describe('the assignment by which an owner holds a record', () => {
  it('is returned within the minutes of its router, of which no more are sent than an instant bears [contract 4]', async () => {
    const minutes = new Map([
      ['R', 10],
      ['S', Number.MAX_SAFE_INTEGER],
    ]);
    const taken = { objectId: 'record', minutes, owner: 'ada@acme.test', newOwner: null };
    await returned.returnLast(database.tx, ACME, taken);
    expect(database.sent).toEqual([
      { name: 'assignment_plan_once', values: [] },
      {
        name: 'assignment_return_last',
        values: [
          'acme',
          'record',
          ['R', 'S'],
          [10, 52_560_000],
          'ada@acme.test',
          null,
          firstIdAt(new Date(0)),
        ],
      },
    ]);
  });
});
