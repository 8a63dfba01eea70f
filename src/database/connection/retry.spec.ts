import { Deadline } from './deadline.js';
import { DatabaseUnavailableError, OutcomeUnknownError } from '../errors.js';
import { retry } from './retry.js';

const failure = (code: string): Error => Object.assign(new Error(code), { code });

/** Runs work that fails with each of these errors, one after the other, and then succeeds. */
async function attempts(
  errors: readonly Error[],
  limits = { deadline: new Deadline(60_000), reserve: 0 },
): Promise<{ readonly count: number; readonly error: unknown }> {
  let count = 0;
  const work = (): Promise<void> => {
    const error = errors[count++];
    return error === undefined ? Promise.resolve() : Promise.reject(error);
  };
  const error: unknown = await retry(work, { ...limits, onError: () => undefined }).catch(
    (reason: unknown) => reason,
  );
  return { count, error };
}

const LOST = new DatabaseUnavailableError(failure('57P01'), true);

it.each([
  ['a serialization failure', failure('40001')],
  ['a deadlock', failure('40P01')],
  ['a lost connection', LOST],
  ['too long a wait for a lock', failure('55P03')],
])('runs work again after %s', async (_, error) => {
  expect(await attempts([error, error])).toEqual({ count: 3, error: undefined });
});

it.each([
  ['any other error', failure('42P01')],
  ['a server that is away', new DatabaseUnavailableError(failure('ECONNREFUSED'), false)],
  ['a connection of which nobody knows what it did', failure('57P01')],
  ['an unknown outcome', new OutcomeUnknownError(failure('57P01'))],
])('runs nothing again after %s', async (_, error) => {
  expect(await attempts([error])).toEqual({ count: 1, error });
});

it('gives up at the fifth loss', async () => {
  expect(await attempts(Array.from({ length: 9 }, () => LOST))).toEqual({ count: 5, error: LOST });
});

it('gives up where the time that is left is not enough for another attempt', async () => {
  const limits = { deadline: new Deadline(1_000), reserve: 1_000 };
  expect(await attempts([LOST], limits)).toEqual({ count: 1, error: LOST });
});
