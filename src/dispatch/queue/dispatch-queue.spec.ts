import { AccountShares, type AccountContext } from '../../accounts/index.js';
import { DatabaseUnavailableError, Deadline, OutcomeUnknownError } from '../../database/index.js';
import { notFound } from '../../errors/errors.js';
import { FakeRunner, outcome, settle } from '../../../test/units/fake-runner.js';
import type { DispatchRunner } from '../transaction/dispatch-runner.js';
import type { Outcome } from '../transaction/outcome.js';
import { DispatchQueue } from './dispatch-queue.js';
import { LaneTransaction } from './lane-transaction.js';

const ACME: AccountContext = { accountId: 'acme' };

let runner: FakeRunner;
let queue: DispatchQueue;
let shares: AccountShares;

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'performance'] });
  runner = new FakeRunner();
  shares = new AccountShares({ total: 3, shared: 2, alone: 2, waiting: 1, patience: 60_000 });
  queue = new DispatchQueue(new LaneTransaction(runner as unknown as DispatchRunner), shares);
});

afterEach(() => jest.useRealTimers());

const submit = (objectId: string, routerId = 'R', account = ACME): Promise<Outcome> =>
  queue.submit(account, routerId, objectId);

describe('DispatchQueue', () => {
  it('runs a lone request at once', async () => {
    const answer = submit('a');
    expect(runner.runs).toEqual([['a']]);
    await runner.commit();
    expect(await answer).toEqual(outcome('a'));
  });

  it('runs together what came while a transaction was open, in order, and answers each for itself', async () => {
    const answers = ['a', 'b', 'c'].map((id) => submit(id));
    expect(runner.runs).toEqual([['a']]);
    await runner.commit();
    expect(runner.runs).toEqual([['a'], ['b', 'c']]);
    await runner.commit();
    expect(await Promise.all(answers)).toEqual(['a', 'b', 'c'].map(outcome));
  });

  it('takes at most 64 into one transaction', async () => {
    const answers = Array.from({ length: 70 }, (_, n) => submit(`o${n}`));
    await runner.commit();
    await runner.commit();
    await runner.commit();
    expect(runner.runs.map((ids) => ids.length)).toEqual([1, 64, 5]);
    expect(await Promise.all(answers)).toHaveLength(70);
  });

  describe('when the records of a transaction are too large together', () => {
    it('runs the others in the next one, before what came meanwhile, and answers each when it is done', async () => {
      const answers = ['a', 'b', 'c', 'd', 'e'].map((id) => submit(id));
      await runner.commit();
      const late = submit('late');
      await runner.commit(1);
      expect(await answers[1]).toEqual(outcome('b'));
      await runner.commit(2);
      await runner.commit();
      await runner.commit();
      expect(runner.runs).toEqual([['a'], ['b', 'c', 'd', 'e'], ['c', 'd', 'e', 'late'], ['e', 'late']]);
      expect(await Promise.all([...answers, late])).toEqual(['a', 'b', 'c', 'd', 'e', 'late'].map(outcome));
    });

    it('does not run again what is done when the others fail', async () => {
      const answers = Promise.allSettled(['a', 'b', 'c'].map((id) => submit(id)));
      await runner.commit();
      await runner.commit(1);
      await runner.fail(new Error('lost'));
      expect(runner.runs).toEqual([['a'], ['b', 'c'], ['c']]);
      const settled = await answers;
      expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    });
  });

  it('runs a second request for a record in a later transaction', async () => {
    const answers = ['a', 'b', 'b', 'c'].map((id) => submit(id));
    await runner.commit();
    await runner.commit();
    await runner.commit();
    expect(runner.runs).toEqual([['a'], ['b', 'c'], ['b']]);
    expect(await Promise.all(answers)).toEqual(['a', 'b', 'b', 'c'].map(outcome));
  });

  it('opens a new transaction for what comes after the lane was empty', async () => {
    const first = submit('a');
    await runner.commit();
    await first;
    const second = submit('b');
    expect(runner.runs).toEqual([['a'], ['b']]);
    await runner.commit();
    expect(await second).toEqual(outcome('b'));
  });

  describe('when a shared transaction fails', () => {
    it('runs each of its requests alone, so that one spoils no other', async () => {
      const answers = Promise.allSettled(['a', 'b', 'c'].map((id) => submit(id)));
      await runner.commit();
      await runner.fail(new Error('b cannot be written'));
      expect(runner.runs.slice(2)).toEqual([['b']]);
      await runner.fail(new Error('b cannot be written'));
      await runner.commit();
      const settled = await answers;
      expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
      expect(runner.runs).toEqual([['a'], ['b', 'c'], ['b'], ['c']]);
    });

    it.each([
      ['the router is unknown', notFound('Router not found')],
      ['the database is away', Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })],
    ])('answers all of them alike where %s', async (_, error) => {
      const answers = Promise.allSettled(['a', 'b', 'c'].map((id) => submit(id)));
      await runner.commit();
      await runner.fail(error);
      expect(runner.runs).toHaveLength(2);
      const [, ...settled] = await answers;
      expect(settled).toEqual([
        { status: 'rejected', reason: error },
        { status: 'rejected', reason: error },
      ]);
    });

    it('goes on with what came meanwhile', async () => {
      const failing = submit('a').catch((error: unknown) => error);
      const next = submit('b');
      await runner.fail(new Error('lost'));
      await runner.commit();
      expect(await failing).toEqual(new Error('lost'));
      expect(await next).toEqual(outcome('b'));
    });
  });

  it('answers 503 with Retry-After beyond 5,000 waiting requests, and goes on with those that wait', async () => {
    const waiting = Array.from({ length: 5_001 }, (_, n) => submit(`o${n}`));
    await expect(submit('one too many')).rejects.toMatchObject({
      status: 503,
      details: { headers: { 'Retry-After': '1' } },
    });
    // The queue of another router is not full.
    void submit('other', 'S');
    await runner.commit();
    expect(runner.lanes.at(-1)).toBe('acme S,R');
    expect(await waiting[0]).toEqual(outcome('o0'));
    void submit('there is room again');
  });

  it('rejects where the runner has no outcome for a request', async () => {
    const answer = submit('a');
    runner.run = () => Promise.resolve([]);
    const second = expect(submit('b')).rejects.toThrow('A dispatch has no outcome');
    await runner.commit();
    await answer;
    await second;
  });

  it('takes one part of the share of its account for a transaction, and returns it', async () => {
    const taken = shares.enterNow(ACME)!;
    const answers = [submit('a', 'R1'), submit('b', 'R2')];
    expect(runner.lanes).toEqual(['acme R1']);
    expect(shares.enterNow(ACME)).toBeUndefined();
    const other = submit('x', 'R1', { accountId: 'other' });
    expect(runner.lanes.at(-1)).toBe('other R1');
    await runner.commit();
    const refused = expect(answers[1]).rejects.toThrow('Router not found');
    await runner.commit();
    await runner.fail(notFound('Router not found'));
    await refused;
    expect(await Promise.all([answers[0], other])).toHaveLength(2);
    taken();
    const all = [1, 2].map(() => shares.enterNow(ACME));
    expect(all).not.toContain(undefined);
  });

  it('answers all that wait when their account has no share left for them', async () => {
    const taken = [1, 2].map(() => shares.enterNow(ACME)!);
    const waiting = shares.enter(ACME);
    const refused = [submit('d', 'R4'), submit('e', 'R4'), submit('f', 'R5')];
    // The first of them asks for the share at once. What comes while it is refused is refused for itself.
    for (const one of refused) await expect(one).rejects.toMatchObject({ status: 503 });
    for (const leave of taken) leave();
    (await waiting)();
    const again = submit('d', 'R4');
    await runner.commit();
    expect(await again).toEqual(outcome('d'));
  });

  it('refuses what waited for the share, and tries again what came meanwhile', async () => {
    const entered: { resolve: (leave: () => void) => void; reject: (error: Error) => void }[] = [];
    jest.spyOn(shares, 'enterNow').mockReturnValue(undefined);
    jest
      .spyOn(shares, 'enter')
      .mockImplementation(() => new Promise((resolve, reject) => entered.push({ resolve, reject })));
    const refused = expect(submit('a')).rejects.toThrow('waited too long');
    const answer = submit('b');
    entered[0]?.reject(new Error('waited too long'));
    await refused;
    expect(entered).toHaveLength(2);
    entered[1]?.resolve(() => undefined);
    await settle();
    await runner.commit();
    expect(await answer).toEqual(outcome('b'));
  });

  it('refuses what has waited for five seconds, so that it is answered in time [contract 1]', async () => {
    const first = submit('a');
    const late = submit('b').catch((error: unknown) => error);
    jest.advanceTimersByTime(4_999);
    const next = submit('c');
    jest.advanceTimersByTime(1);
    expect(await late).toMatchObject({ status: 503, details: { headers: { 'Retry-After': '1' } } });
    await runner.commit();
    await runner.commit();
    expect(await Promise.all([first, next])).toEqual([outcome('a'), outcome('c')]);
    expect(runner.runs).toEqual([['a'], ['c']]);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('ends a transaction with the first of its requests that must be answered [contract 1]', async () => {
    const [soon, later] = [new Deadline(8_000), new Deadline(14_000)];
    const by = (objectId: string, deadline: Deadline): Promise<Outcome> =>
      submit(objectId, 'R', { ...ACME, deadline });
    const answers = [by('a', soon), by('b', later), by('c', soon), submit('d')];
    await runner.commit();
    const next = by('e', later);
    await runner.commit();
    await runner.commit();
    expect(await Promise.all([...answers, next])).toHaveLength(5);
    expect(runner.runs).toEqual([['a'], ['b', 'c', 'd'], ['e']]);
    // The account of a lane has none: it is there for all its requests.
    expect(runner.deadlines).toEqual([soon, soon, later]);
  });

  describe('when the time of a request runs out in a transaction', () => {
    const LOST = new DatabaseUnavailableError(new Error('Query read timeout'), true);
    /** Less than a statement needs to begin, and more than nothing. */
    const LITTLE = 499;
    let soon: Deadline;
    let answers: Promise<PromiseSettledResult<Outcome>[]>;

    /** Three requests, the first of which has no more time, are in a transaction. */
    beforeEach(async () => {
      soon = new Deadline(8_000);
      const by = (id: string, deadline: Deadline): Promise<Outcome> => submit(id, 'R', { ...ACME, deadline });
      const first = submit('a');
      const asked = [by('b', soon), by('c', new Deadline(14_000)), submit('d')];
      answers = Promise.allSettled(asked);
      await runner.commit();
      await first;
      soon.extend(LITTLE - soon.left);
    });

    it('refuses it, and runs the others again together where nothing has happened [contract 1]', async () => {
      await runner.fail(LOST);
      expect(runner.runs).toEqual([['a'], ['b', 'c', 'd'], ['c', 'd']]);
      await runner.commit();
      const done = ['c', 'd'].map((id) => ({ status: 'fulfilled', value: outcome(id) }));
      expect(await answers).toEqual([{ status: 'rejected', reason: LOST }, ...done]);
    });

    it('refuses the others, too, where the database is away [contract 1]', async () => {
      await runner.fail(LOST);
      await runner.fail(LOST);
      expect(runner.runs).toHaveLength(3);
      expect(await answers).toEqual(Array(3).fill({ status: 'rejected', reason: LOST }));
    });

    it('runs nothing again where it is not known what has happened [contract 1, contract 4]', async () => {
      const unknown = new OutcomeUnknownError(new Error('reset'));
      await runner.fail(unknown);
      expect(runner.runs).toHaveLength(2);
      expect(await answers).toEqual(Array(3).fill({ status: 'rejected', reason: unknown }));
    });

    it('does not take it along with the others when they are too large together [contract 1]', async () => {
      soon.extend(5_000);
      const late = new Deadline(8_000);
      const asked = [submit('e'), submit('f', 'R', { ...ACME, deadline: late }), submit('g')];
      const settled = Promise.allSettled(asked);
      await runner.commit();
      late.extend(LITTLE - late.left);
      await runner.commit(1);
      await runner.commit();
      expect(runner.runs.slice(2)).toEqual([['e', 'f', 'g'], ['g']]);
      expect((await settled)[1]).toMatchObject({ status: 'rejected', reason: { status: 503 } });
    });
  });

  it('refuses at once a request that has less than a second for its statements [contract 1]', async () => {
    const late = submit('a', 'R', { ...ACME, deadline: new Deadline(900) });
    await expect(late).rejects.toMatchObject({ status: 503, details: { headers: { 'Retry-After': '1' } } });
    expect(runner.runs).toEqual([]);
    const next = submit('b', 'R', { ...ACME, deadline: new Deadline(14_000) });
    await runner.commit();
    expect(await next).toEqual(outcome('b'));
  });

  it('refuses a request that waits when no statement may begin for it any more [contract 1]', async () => {
    const first = submit('a');
    // A second of a request is kept for its statements.
    const late = submit('b', 'R', { ...ACME, deadline: new Deadline(2_500) });
    const refused = expect(late).rejects.toMatchObject({ status: 503 });
    jest.advanceTimersByTime(1_500);
    await refused;
    await runner.commit();
    expect(await first).toEqual(outcome('a'));
    expect(runner.runs).toEqual([['a']]);
  });
});
