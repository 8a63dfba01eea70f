import { Deadline } from './deadline.js';
import { LostWrites, type LostCommit, type SingleWrite } from './lost-writes.js';
import { OutcomeUnknownError } from './outcome-unknown.error.js';
import type { Outcomes } from './outcomes.js';
import type { FindWritten } from './queryable.js';

const found: FindWritten<unknown> = () => Promise.resolve([{ id: 'found' }]);
const LOST: LostCommit = {
  identity: { timeline: 'a', recovered: 'b', session: undefined, ahead: 0 },
  sentAt: 0,
  error: new Error('lost'),
  deadline: new Deadline(1_000),
  xid: '700',
};
const write = (find?: FindWritten<unknown>): SingleWrite => ({
  statement: { name: 'write', text: 'INSERT' },
  values: [],
  deadline: new Deadline(1_000),
  find,
});

/** Finds out what became of writes. Without their rows, the database can tell it only where `knows`. */
function lostWrites(knows: boolean): { writes: LostWrites; ofTransaction: jest.Mock } {
  const ofTransaction = jest.fn((_: unknown, __: string, find?: FindWritten<unknown>) => {
    if (find !== undefined) return find({} as never, { since: 0 });
    return knows ? Promise.resolve([]) : Promise.reject(new OutcomeUnknownError());
  });
  return { writes: new LostWrites({ ofTransaction } as unknown as Outcomes), ofTransaction };
}

describe('writes whose COMMIT was not answered', () => {
  it('have the rows that came, after one question for all of them', async () => {
    const { writes, ofTransaction } = lostWrites(true);
    const results = writes.ofTransaction([write(found), write(found)], LOST, [[{ id: 1 }], [{ id: 2 }]]);
    expect(await Promise.all(results)).toEqual([[{ id: 1 }], [{ id: 2 }]]);
    expect(ofTransaction).toHaveBeenCalledTimes(1);
  });

  it('are read again where no rows came', async () => {
    const { writes, ofTransaction } = lostWrites(true);
    expect(await Promise.all(writes.ofTransaction([write(found)], LOST, [undefined]))).toEqual([
      [{ id: 'found' }],
    ]);
    expect(ofTransaction).toHaveBeenCalledTimes(1);
  });

  it('are read again after a crash, which forgets what was committed', async () => {
    const { writes } = lostWrites(false);
    expect(await Promise.all(writes.ofTransaction([write(found)], LOST, [[{ id: 1 }]]))).toEqual([
      [{ id: 'found' }],
    ]);
  });

  it('are unknown after a crash where nobody can read them', async () => {
    const { writes } = lostWrites(false);
    const [result] = writes.ofTransaction([write()], LOST, [[{ id: 1 }]]);
    await expect(result).rejects.toBeInstanceOf(OutcomeUnknownError);
  });
});
