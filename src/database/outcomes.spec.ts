import type { ConnectionIdentity } from './connection-identity.js';
import { Deadline } from './deadline.js';
import { RUNNING, type Asked, type LostAnswer, type OutcomeQuestions } from './outcome-questions.js';
import { OutcomeUnknownError } from './outcome-unknown.error.js';
import { Outcomes } from './outcomes.js';
import { FakeDatabase } from './testing/fake-database.js';

const SESSION = { pid: 7, started: '1.5' };
const since = 0;
const STATEMENT = { name: 'write', text: 'INSERT' };

let database: FakeDatabase;
beforeEach(() => (database = new FakeDatabase()));

/** Outcomes that ask once. `RUNNING` means that they would ask again. */
function outcomes({ recovered = false } = {}): Outcomes {
  const db = { query: database.query.bind(database), since, recovered } as Asked;
  const ask = (_: LostAnswer, question: (db: Asked) => Promise<unknown>): Promise<unknown> => question(db);
  return new Outcomes({ ask } as unknown as OutcomeQuestions);
}

const lost = (session: ConnectionIdentity['session'] = SESSION): LostAnswer => ({
  identity: { timeline: 'a', recovered: 'b', session, ahead: 0 },
  sentAt: 0,
  deadline: new Deadline(1_000),
});

describe('a transaction whose COMMIT was not answered', () => {
  const ask = (
    status: string | null,
    { recovered = false, found }: { recovered?: boolean; found?: object[] | undefined } = {},
    finds = found !== undefined,
  ): Promise<unknown> => {
    database.answer('outcome_transaction_status', [{ status }]);
    return outcomes({ recovered }).ofTransaction(
      lost(),
      '700',
      finds ? () => Promise.resolve(found) : undefined,
    );
  };

  it('is committed, and its rows are found again', async () => {
    expect(await ask('committed')).toEqual([]);
    expect(await ask('committed', { found: [{ id: 1 }] })).toEqual([{ id: 1 }]);
    expect(database.sent[0]?.values).toEqual(['700', true]);
  });

  it('is rolled back', async () => expect(await ask('aborted')).toBeUndefined());

  it('is not at its end yet', async () => expect(await ask('in progress')).toBe(RUNNING));

  it('is unknown where its id is forgotten, or its rows are not to be found', async () => {
    await expect(ask(null)).rejects.toBeInstanceOf(OutcomeUnknownError);
    await expect(ask('committed', {}, true)).rejects.toBeInstanceOf(OutcomeUnknownError);
  });

  it('was lost in a crash, where its id is in progress again, or not given out again yet', async () => {
    expect(await ask('in progress', { recovered: true })).toBeUndefined();
    // The session of the other transaction must not be ended.
    expect(database.sent[0]?.values).toEqual(['700', false]);
    database.fail('outcome_transaction_status', Object.assign(new Error('future'), { code: '22023' }));
    expect(await outcomes().ofTransaction(lost(), '700')).toBeUndefined();
  });

  it('is waited for behind a pooler, where the crash may have been before it', async () => {
    const pooled = { ...lost(), identity: { ...lost().identity, session: undefined } };
    database.answer('outcome_transaction_status', [{ status: 'in progress' }]);
    expect(await outcomes({ recovered: true }).ofTransaction(pooled, '700')).toBe(RUNNING);
    expect(database.sent[0]?.values).toEqual(['700', false]);
  });

  it('is taken for committed after a crash only with its rows: the id may be that of another one', async () => {
    expect(await ask('committed', { recovered: true, found: [{ id: 1 }] })).toEqual([{ id: 1 }]);
    await expect(ask('committed', { recovered: true })).rejects.toBeInstanceOf(OutcomeUnknownError);
  });

  it('is asked about again after any other error', async () => {
    const error = Object.assign(new Error('lost again'), { code: 'ECONNRESET' });
    database.fail('outcome_transaction_status', error);
    await expect(outcomes().ofTransaction(lost(), '700')).rejects.toBe(error);
  });
});

describe('a statement that was not answered', () => {
  it('is looked for when its session has ended', async () => {
    database.answer('outcome_end_session', [{ pid: 7 }]);
    expect(await outcomes().ofStatement(lost(), STATEMENT, () => Promise.resolve([{ id: 1 }]))).toBe(RUNNING);
    expect(await outcomes().ofStatement(lost(), STATEMENT, () => Promise.resolve([{ id: 1 }]))).toEqual([
      { id: 1 },
    ]);
    expect(await outcomes().ofStatement(lost(), STATEMENT, () => Promise.resolve(undefined))).toBeUndefined();
    expect(database.sent[0]).toEqual({ name: 'outcome_end_session', values: [7, '1.5'] });
  });

  it('is waited for by its text behind a pooler, which ends no session', async () => {
    const pooled = { ...lost(), identity: { ...lost().identity, session: undefined } };
    database.answer('outcome_running_alike', [{ pid: 8 }]);
    expect(await outcomes().ofStatement(pooled, STATEMENT, () => Promise.resolve([]))).toBe(RUNNING);
    expect(await outcomes().ofStatement(pooled, STATEMENT, () => Promise.resolve([]))).toEqual([]);
    expect(database.sent.map(({ name, values: [text] }) => [name, text])).toEqual([
      ['outcome_running_alike', 'INSERT'],
      ['outcome_running_alike', 'INSERT'],
    ]);
  });
});
