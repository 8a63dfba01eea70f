import { AccountShares, type AccountContext } from '../../accounts/index.js';
import {
  DatabaseUnavailableError,
  Deadline,
  OutcomeUnknownError,
  type Transaction,
} from '../../database/index.js';
import { conflict } from '../../errors/errors.js';
import { FakeRunner, outcome, settle } from '../../../test/units/fake-runner.js';
import { Metrics } from '../../metrics/metrics.js';
import { RefusedByHook } from '../transaction/assignment-hooks.js';
import type { DispatchRunner } from '../transaction/dispatch-runner.js';
import type { Outcome } from '../transaction/dispatch-result.js';
import { DispatchQueue } from './dispatch-queue.js';

const ACME: AccountContext = { accountId: 'acme' };

let runner: FakeRunner;
let queue: DispatchQueue;
let shares: AccountShares;

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'performance'] });
  runner = new FakeRunner();
  shares = new AccountShares({ total: 4, shared: 1, alone: 1, waiting: 1, patience: 60_000 });
  const held = new AccountShares({ total: 4, shared: 2, alone: 2, waiting: 9, patience: 60_000 });
  queue = new DispatchQueue(runner as unknown as DispatchRunner, shares, held, new Metrics({}));
});

afterEach(() => jest.useRealTimers());

const submit = (objectId: string, routerId = 'R', account = ACME): Promise<Outcome> =>
  queue.submit(account, routerId, objectId);

/** Submits a dispatch that takes the transaction, so that others wait together. */
const first = (): Promise<Outcome> => submit('first', 'First');

describe('DispatchQueue', () => {
  it('runs a lone dispatch at once', async () => {
    const answer = submit('a');
    expect(runner.runs).toEqual([['a']]);
    await runner.commit();
    expect(await answer).toEqual(outcome('a'));
  });

  it('runs together what came while a transaction was open, in order, and answers each for itself', async () => {
    const answers = ['a', 'b', 'c'].map((id) => submit(id));
    await runner.commit();
    const late = submit('late');
    await runner.commit();
    await runner.commit();
    expect(runner.runs).toEqual([['a'], ['b', 'c'], ['late']]);
    expect(await Promise.all([...answers, late])).toEqual(['a', 'b', 'c', 'late'].map(outcome));
  });

  it('never runs those of two accounts together [1]', async () => {
    const answers = [submit('a'), submit('x', 'R', { accountId: 'other' }), submit('b')];
    for (let count = 0; count < 3; count++) await runner.commit();
    expect(runner.accounts).toEqual(['acme', 'other', 'acme']);
    expect(await Promise.all(answers)).toHaveLength(3);
  });

  it('takes at most 64 into one transaction, of the routers in turn', async () => {
    void first();
    const names = Array.from({ length: 80 }, (_, n) => `r${n}`);
    for (const id of names) void submit(id, 'R');
    for (const id of ['s0', 's1']) void submit(id, 'S');
    await runner.commit();
    expect(runner.runs[1]).toEqual(['r0', 's0', 'r1', 's1', ...names.slice(2, 62)]);
    await runner.commit();
    expect(runner.runs[2]).toEqual(names.slice(62));
  });

  it('serves those routers first that had no turn in the transaction before', async () => {
    void first();
    const names = Array.from({ length: 70 }, (_, n) => `${n}`);
    for (const turn of [1, 2]) for (const name of names) void submit(`${name}.${turn}`, name);
    await runner.commit();
    await runner.commit();
    expect(runner.runs[2]?.slice(0, 7)).toEqual([...names.slice(64).map((name) => `${name}.1`), '0.2']);
  });

  it('runs a second dispatch of a record in a later transaction, by whatever router', async () => {
    void first();
    void submit('a', 'R');
    void submit('a', 'S');
    void submit('b', 'S');
    void submit('a', 'R');
    for (let count = 0; count < 4; count++) await runner.commit();
    expect(runner.runs).toEqual([['first'], ['a', 'b'], ['a'], ['a']]);
  });

  it('runs what is left for later in the next transaction, before all others', async () => {
    void first();
    for (const id of ['a', 'b', 'c']) void submit(id);
    await runner.commit();
    const late = [submit('x', 'S'), submit('late')];
    await runner.commit(({ objectId }) => (objectId === 'a' ? outcome('a') : 'later'));
    await runner.commit();
    expect(runner.runs.slice(1)).toEqual([
      ['a', 'b', 'c'],
      ['b', 'x', 'c', 'late'],
    ]);
    expect(await Promise.all(late)).toHaveLength(2);
  });

  describe('where somebody else has locked a record', () => {
    const held = ({ objectId }: { objectId: string }): Outcome | 'held' =>
      objectId.startsWith('held') ? 'held' : outcome(objectId);

    it('runs that dispatch alone, waiting, while all but its router go on [contract 4]', async () => {
      const waiting = submit('held');
      await runner.commit(held);
      const behind = submit('b');
      void submit('c', 'S');
      expect(runner.runs).toEqual([['held'], ['held'], ['c']]);
      expect(runner.waits).toEqual([false, true, false]);
      await runner.commit();
      await runner.commit();
      await runner.commit();
      expect(await Promise.all([waiting, behind])).toEqual(['held', 'b'].map(outcome));
      expect(runner.runs[3]).toEqual(['b']);
    });

    it('runs as many at once as the account has shares for them, beside the others [contract 4]', async () => {
      void first();
      for (const name of ['A', 'B', 'C', 'D']) void submit(`held ${name}`, name);
      await runner.commit();
      await runner.commit(held);
      expect(runner.runs.slice(2)).toEqual([['held A'], ['held B']]);
      void submit('free');
      expect(runner.runs.at(-1)).toEqual(['free']);
      await runner.commit();
      expect(runner.runs.at(-1)).toEqual(['held C']);
    });
  });

  describe('when a shared transaction fails', () => {
    it('runs each half by itself, so that one spoils no other', async () => {
      void first();
      const answers = Promise.allSettled(['a', 'b', 'c', 'd'].map((id) => submit(id)));
      await runner.commit();
      const error = new Error('b cannot be written');
      for (let count = 0; count < 2; count++) await runner.fail(error);
      await runner.commit();
      await runner.fail(error);
      await runner.commit();
      const settled = await answers;
      expect(settled.map(({ status }) => status)).toEqual([
        'fulfilled',
        'rejected',
        'fulfilled',
        'fulfilled',
      ]);
      expect(runner.runs.slice(1)).toEqual([['a', 'b', 'c', 'd'], ['a', 'b'], ['a'], ['b'], ['c', 'd']]);
    });

    it('answers all of them alike where the database is away', async () => {
      void first();
      const error = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
      const answers = Promise.allSettled(['a', 'b'].map((id) => submit(id)));
      await runner.commit();
      await runner.fail(error);
      expect(await answers).toEqual(Array(2).fill({ status: 'rejected', reason: error }));
      expect(runner.runs).toHaveLength(2);
    });
  });

  it('answers 503 with Retry-After beyond 5,000 that wait for a router, and goes on with those that wait', async () => {
    const waiting = Array.from({ length: 5_001 }, (_, n) => submit(`o${n}`));
    await expect(submit('one too many')).rejects.toMatchObject({
      status: 503,
      details: { headers: { 'Retry-After': '1' } },
    });
    // The queue of another router is not full.
    void submit('other', 'S');
    await runner.commit();
    expect(runner.runs.at(-1)).toContain('other');
    expect(await waiting[0]).toEqual(outcome('o0'));
    void submit('there is room again');
  });

  it('takes the share of its account for a transaction, and returns it', async () => {
    const answer = submit('a');
    expect(shares.enterNow(ACME)).toBeUndefined();
    await runner.commit();
    await answer;
    expect(shares.enterNow(ACME)).toBeDefined();
  });

  it('waits for a share, and takes what came meanwhile along', async () => {
    const leave = shares.enterNow(ACME)!;
    const answers = [submit('a'), submit('b')];
    expect(runner.runs).toEqual([]);
    leave();
    await settle();
    await runner.commit();
    expect(await Promise.all(answers)).toEqual(['a', 'b'].map(outcome));
    expect(runner.runs).toEqual([['a', 'b']]);
  });

  it('refuses what is left for later and has waited for five seconds, too [contract 1]', async () => {
    void first();
    const left = submit('a').catch((error: unknown) => error);
    void submit('b');
    await runner.commit();
    const share = shares.enter(ACME);
    await runner.commit(({ objectId }) => (objectId === 'a' ? 'later' : outcome(objectId)));
    await share;
    jest.advanceTimersByTime(5_000);
    expect(await left).toMatchObject({ status: 503 });
  });

  it('refuses what has waited for five seconds, so that it is answered in time [contract 1]', async () => {
    const one = submit('a');
    const late = submit('b').catch((error: unknown) => error);
    jest.advanceTimersByTime(4_999);
    const next = submit('c');
    jest.advanceTimersByTime(1);
    expect(await late).toMatchObject({ status: 503, details: { headers: { 'Retry-After': '1' } } });
    await runner.commit();
    await runner.commit();
    expect(await Promise.all([one, next])).toEqual([outcome('a'), outcome('c')]);
    expect(runner.runs).toEqual([['a'], ['c']]);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('ends a transaction with the first of its dispatches that must be answered [contract 1]', async () => {
    const [soon, later] = [new Deadline(8_000), new Deadline(14_000)];
    const by = (objectId: string, deadline: Deadline): Promise<Outcome> =>
      submit(objectId, 'R', { ...ACME, deadline });
    const answers = [by('a', soon), by('b', later), by('c', soon), submit('d')];
    await runner.commit();
    const next = by('e', later);
    await runner.commit();
    await runner.commit();
    expect(await Promise.all([...answers, next])).toHaveLength(5);
    expect(runner.deadlines).toEqual([soon, soon, later]);
  });

  describe('when the time of a dispatch runs out in a transaction', () => {
    const LOST = new DatabaseUnavailableError(new Error('Query read timeout'), true);
    let answers: Promise<PromiseSettledResult<Outcome>[]>;

    /** Three dispatches, the first of which has no more time, are in a transaction. */
    beforeEach(async () => {
      const soon = new Deadline(8_000);
      const by = (id: string, deadline: Deadline): Promise<Outcome> => submit(id, 'R', { ...ACME, deadline });
      void first();
      answers = Promise.allSettled([by('b', soon), by('c', new Deadline(14_000)), submit('d')]);
      await runner.commit();
      soon.extend(499 - soon.left);
    });

    it('refuses it, and runs the others again together where nothing has happened [contract 1]', async () => {
      await runner.fail(LOST);
      expect(runner.runs).toEqual([['first'], ['b', 'c', 'd'], ['c', 'd']]);
      await runner.commit();
      const done = ['c', 'd'].map((id) => ({ status: 'fulfilled', value: outcome(id) }));
      expect(await answers).toEqual([{ status: 'rejected', reason: LOST }, ...done]);
    });

    it('refuses the others, too, where the database is away [contract 1]', async () => {
      await runner.fail(LOST);
      await runner.fail(LOST);
      expect(await answers).toEqual(Array(3).fill({ status: 'rejected', reason: LOST }));
    });

    it('runs nothing again where it is not known what has happened [contract 1, contract 4]', async () => {
      const unknown = new OutcomeUnknownError(new Error('reset'));
      await runner.fail(unknown);
      expect(runner.runs).toHaveLength(2);
      expect(await answers).toEqual(Array(3).fill({ status: 'rejected', reason: unknown }));
    });
  });

  it('refuses at once a dispatch that has less than a second for its statements [contract 1]', async () => {
    const late = submit('a', 'R', { ...ACME, deadline: new Deadline(900) });
    await expect(late).rejects.toMatchObject({ status: 503, details: { headers: { 'Retry-After': '1' } } });
    expect(runner.runs).toEqual([]);
    await settle();
    const next = submit('b', 'R', { ...ACME, deadline: new Deadline(14_000) });
    await runner.commit();
    expect(await next).toEqual(outcome('b'));
  });

  it('refuses one that waits when no statement may begin for it any more [contract 1]', async () => {
    void first();
    // A second of a request is kept for its statements.
    const late = submit('b', 'R', { ...ACME, deadline: new Deadline(2_500) });
    const refused = expect(late).rejects.toMatchObject({ status: 503 });
    jest.advanceTimersByTime(1_500);
    await refused;
    await runner.commit();
    expect(runner.runs).toEqual([['first']]);
  });
});

describe('Dispatches as parts of a transaction', () => {
  const part = { ...ACME, transaction: {} as Transaction };
  const runs = ['a', 'b', 'a', 'c'].map((objectId) => ({ routerId: 'R', objectId }));
  const outcomes = ['a', 'b', 'a', 'c'].map(outcome);

  it('lock all that they need, and run together, a record once at a time [contract 4, contract 7]', async () => {
    const answer = queue.runAsPart(part, runs);
    await settle();
    await runner.commit(({ objectId }) => (objectId === 'c' ? 'later' : outcome(objectId)));
    await runner.commit();
    expect(await answer).toEqual(outcomes);
    expect(runner.locked).toEqual([['a', 'b', 'a', 'c']]);
    expect(runner.runs).toEqual([
      ['a', 'b', 'c'],
      ['a', 'c'],
    ]);
  });

  it('run in halves where a hook refuses one [contract 7]', async () => {
    const answer = queue.runAsPart(part, runs.slice(0, 2));
    const error = conflict('Not today');
    await settle();
    await runner.fail(new RefusedByHook(error));
    await runner.commit(() => ({ ok: false, error }));
    await runner.commit();
    expect(await answer).toEqual([{ ok: false, error }, outcome('b')]);
  });

  it('fail with what fails [contract 7]', async () => {
    const answer = expect(queue.runAsPart(part, runs)).rejects.toThrow('lost');
    await settle();
    await runner.fail(new Error('lost'));
    await answer;
  });
});
