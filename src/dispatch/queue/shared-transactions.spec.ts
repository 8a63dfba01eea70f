import { DatabaseError } from 'pg';
import { AccountShares, type AccountContext } from '../../accounts/index.js';
import { DatabaseUnavailableError, OutcomeUnknownError } from '../../database/index.js';
import { notFound } from '../../errors/errors.js';
import { FakeRunner, outcome } from '../../../test/units/fake-runner.js';
import type { DispatchRunner } from '../transaction/dispatch-runner.js';
import type { Outcome } from '../transaction/outcome.js';
import { DispatchQueue } from './dispatch-queue.js';
import { LaneTransaction } from './lane-transaction.js';

const ACME: AccountContext = { accountId: 'acme' };
const TIMEOUT = { code: '57014', severity: 'ERROR' };

let runner: FakeRunner;
let queue: DispatchQueue;

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'performance'] });
  runner = new FakeRunner();
  const shares = new AccountShares({ total: 3, shared: 2, alone: 2, waiting: 1, patience: 60_000 });
  queue = new DispatchQueue(new LaneTransaction(runner as unknown as DispatchRunner), shares);
});

afterEach(() => jest.useRealTimers());

const submit = (objectId: string, routerId = 'R', account = ACME): Promise<Outcome> =>
  queue.submit(account, routerId, objectId);

describe('DispatchQueue with several routers', () => {
  it('lets routers of one account share a transaction, never those of two accounts [1]', async () => {
    const other = { accountId: 'other' };
    const answers = [submit('a', 'R'), submit('x', 'R', other)];
    answers.push(submit('b', 'S'), submit('c', 'T'), submit('y', 'S', other), submit('d', 'R'));
    expect(runner.lanes).toEqual(['acme R', 'other R']);
    await runner.commit();
    await runner.commit();
    expect(runner.lanes.slice(2)).toEqual(['acme S,T,R', 'other S']);
    expect(runner.runs.slice(2)).toEqual([['b', 'c', 'd'], ['y']]);
    await runner.commit();
    await runner.commit();
    expect(await Promise.all(answers)).toEqual(['a', 'x', 'b', 'c', 'y', 'd'].map(outcome));
    expect(runner.waits).toEqual([false, false, false, false]);
  });

  it('gives each router a fair part of a transaction, and more where others have less', async () => {
    const first = submit('first', 'T');
    const all = [...Array(80).keys()].map((n) => submit(`r${n}`, 'R'));
    all.push(...[0, 1].map((n) => submit(`s${n}`, 'S')));
    await runner.commit();
    await first;
    const counts = (run: readonly string[]): number[] =>
      ['r', 's'].map((name) => run.filter((id) => id.startsWith(name)).length);
    expect(counts(runner.runs[1]!)).toEqual([62, 2]);
    all.push(...[...Array(50).keys()].map((n) => submit(`s${n + 2}`, 'S')));
    await runner.commit();
    expect(counts(runner.runs[2]!)).toEqual([18, 46]);
    await runner.commit();
    await runner.commit();
    expect(await Promise.all(all)).toHaveLength(132);
  });

  it('serves routers in turn where there are more than requests in a transaction', async () => {
    const first = submit('first');
    const names = [...Array(100).keys()].map((n) => `S${n}`);
    const all = names.flatMap((name) => [submit(`${name} 1`, name), submit(`${name} 2`, name)]);
    for (let count = 0; count < 5; count++) await runner.commit();
    await Promise.all([first, ...all]);
    expect(runner.runs.map((run) => run.length)).toEqual([1, 64, 64, 64, 8]);
    expect(runner.lanes[2]).toBe(`acme ${[...names.slice(64), ...names.slice(0, 28)].join()}`);
  });

  describe('with a record that two routers are to get', () => {
    it('runs the second one later, and what that router has behind it', async () => {
      const answers = [submit('first', 'T'), submit('a', 'R'), submit('a', 'S'), submit('b', 'S')];
      answers.push(submit('c', 'T'));
      await runner.commit();
      expect(runner.runs[1]).toEqual(['a', 'c']);
      await runner.commit();
      expect(runner.runs[2]).toEqual(['a', 'b']);
      await runner.commit();
      expect(await Promise.all(answers)).toHaveLength(5);
    });

    it('does not take it while a router that is served alone has it', async () => {
      const held = submit('a', 'R');
      await runner.end(() => ({ outcomes: [], alone: true }));
      const answers = [submit('a', 'S'), submit('b', 'T')];
      expect(runner.runs).toEqual([['a'], ['a'], ['b']]);
      await runner.commit();
      await runner.commit();
      expect(runner.runs.slice(3)).toEqual([['a']]);
      await runner.commit();
      expect(await Promise.all([held, ...answers])).toHaveLength(3);
    });
  });

  describe('when a router must be served alone', () => {
    /** Requests of three routers, of which S must be served alone after the first of two. */
    const leave = async (): Promise<Promise<Outcome>[]> => {
      const answers = [
        submit('first'),
        submit('a', 'R'),
        submit('b', 'S'),
        submit('c', 'S'),
        submit('d', 'T'),
      ];
      await runner.commit();
      await runner.end(({ routerId, objectIds }) =>
        routerId === 'S'
          ? { outcomes: objectIds.slice(0, 1).map(outcome), alone: true }
          : { outcomes: objectIds.map(outcome), alone: false },
      );
      return answers;
    };

    it('waits for it in a transaction of its own, beside that of the others [contract 4]', async () => {
      const answers = await leave();
      answers.push(submit('e', 'R'), submit('f', 'S'));
      expect(runner.lanes.slice(2)).toEqual(['acme S', 'acme R']);
      expect(runner.runs.slice(2)).toEqual([['c'], ['e']]);
      expect(runner.waits).toEqual([false, false, true, false]);
      await runner.commit();
      // It has been served, so it shares the next one again.
      answers.push(submit('g', 'R'));
      await runner.commit();
      expect(runner.lanes.slice(4)).toEqual(['acme S,R']);
      await runner.commit();
      expect(await Promise.all(answers)).toHaveLength(8);
    });

    it('keeps the order of its requests [contract 4]', async () => {
      const answers = await leave();
      await runner.end(({ objectIds }) => ({ outcomes: [], alone: objectIds.length > 0 }));
      answers.push(submit('e', 'S'));
      expect(runner.runs.slice(2)).toEqual([['c'], ['c']]);
      await runner.commit();
      expect(runner.runs[4]).toEqual(['e']);
      await runner.commit();
      expect(await Promise.all(answers)).toHaveLength(6);
    });

    it('leaves the others a part of the share of the account', async () => {
      const names = ['R1', 'R2', 'R3'];
      const held = names.map((name) => submit(name, name));
      await runner.commit();
      await runner.end(() => ({ outcomes: [], alone: true }));
      const other = submit('a');
      expect(runner.lanes.slice(2)).toEqual(['acme R2', 'acme R']);
      await runner.commit();
      expect(runner.lanes.at(-1)).toBe('acme R3');
      await runner.commit();
      await runner.commit();
      expect(await Promise.all([...held, other])).toHaveLength(4);
    });

    it('refuses its requests after five seconds in all [contract 1]', async () => {
      const held = ['R1', 'R2'].map((name) => submit(name, name).catch((error: unknown) => error));
      for (let count = 0; count < 3; count++) await runner.end(() => ({ outcomes: [], alone: true }));
      expect(runner.lanes).toEqual(['acme R1', 'acme R1', 'acme R2', 'acme R1']);
      jest.advanceTimersByTime(5_000);
      expect(await held[1]).toMatchObject({ status: 503, details: { headers: { 'Retry-After': '1' } } });
    });
  });

  describe('when a shared transaction fails', () => {
    it('runs each of its routers alone, so that one spoils no other', async () => {
      const answers = [submit('first', 'Q'), submit('a', 'R'), submit('b', 'S'), submit('c', 'S')];
      answers.push(submit('d', 'T'));
      const settled = Promise.allSettled(answers);
      await runner.commit();
      await runner.fail(new Error('b cannot be written'));
      expect(runner.lanes.slice(1)).toEqual(['acme R,S,T', 'acme R']);
      await runner.commit();
      expect(runner.runs.at(-1)).toEqual(['b', 'c']);
      await runner.fail(new Error('b cannot be written'));
      await runner.fail(new Error('b cannot be written'));
      await runner.commit();
      await runner.commit();
      expect((await settled).map(({ status }) => status)).toEqual([
        'fulfilled',
        'fulfilled',
        'rejected',
        'fulfilled',
        'fulfilled',
      ]);
      expect(runner.runs.slice(2)).toEqual([['a'], ['b', 'c'], ['b'], ['c'], ['d']]);
      expect(runner.waits.slice(2)).toEqual(Array(5).fill(true));
    });

    it.each([
      ['an error of a client', notFound('Not found')],
      ['a statement that took too long', Object.assign(new DatabaseError('', 0, 'error'), TIMEOUT)],
    ])('runs each of its routers alone where the error is %s', async (_, error) => {
      const answers = [submit('first', 'Q'), submit('a', 'R'), submit('b', 'S')];
      await runner.commit();
      await runner.fail(error);
      expect(runner.lanes.at(-1)).toBe('acme R');
      await runner.commit();
      await runner.commit();
      expect(await Promise.all(answers)).toHaveLength(3);
    });

    it.each([
      ['is away', new DatabaseUnavailableError(new Error('refused'), false)],
      ['does not tell what has happened', new OutcomeUnknownError(new Error('reset'))],
    ])('answers those of all its routers alike where the database %s [contract 1]', async (_, error) => {
      const answers = [submit('first'), submit('a', 'R'), submit('b', 'S')];
      const settled = Promise.allSettled(answers);
      await runner.commit();
      await runner.fail(error);
      expect(runner.runs).toHaveLength(2);
      const rejected = { status: 'rejected', reason: error };
      expect((await settled).slice(1)).toEqual([rejected, rejected]);
    });
  });
});
