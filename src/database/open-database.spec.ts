import { NoHostError } from './errors.js';
import { awaitStart } from './open-database.js';

const coded = (code: string): Error => Object.assign(new Error(code), { code });

/** An attempt that fails with these errors, one after the other, and then succeeds. */
function failing(...errors: readonly Error[]): jest.Mock<Promise<void>> {
  const attempt = jest.fn(() => Promise.resolve());
  for (const error of errors) attempt.mockRejectedValueOnce(error);
  return attempt;
}

describe('The wait for a database that starts', () => {
  afterEach(() => jest.restoreAllMocks());

  it('ends when it accepts connections, and is told once', async () => {
    const log = jest.fn();
    const both = new AggregateError([coded('ECONNREFUSED'), coded('ECONNREFUSED')]);
    const attempt = failing(coded('ECONNREFUSED'), coded('57P03'), both);
    await awaitStart(attempt, { limit: 60_000, log });
    expect(attempt).toHaveBeenCalledTimes(4);
    expect(log.mock.calls).toEqual([['Waiting up to 60 s for the database at DATABASE_URL to start.']]);
  });

  it('goes on where a proxy closes the connection, because its database is not there', async () => {
    const attempt = failing(new Error('Connection terminated unexpectedly'));
    await awaitStart(attempt, { limit: 60_000 });
    expect(attempt).toHaveBeenCalledTimes(2);
  });

  it('goes on where one of several hosts starts, or may become the primary [contract 13]', async () => {
    const of = (code: string): Error => new Error(code, { cause: coded(code) });
    const attempt = failing(new NoHostError([of('ETIMEDOUT'), of('57P03')]));
    await awaitStart(attempt, { limit: 60_000 });
    expect(attempt).toHaveBeenCalledTimes(2);
  });

  it.each([
    ['several hosts, none of which starts', new NoHostError([new Error('a', { cause: coded('ENOTFOUND') })])],
    ['a wrong password', coded('28P01')],
    ['an unknown database', coded('3D000')],
    ['an unknown host', coded('ENOTFOUND')],
    ['an address of which one is unknown', new AggregateError([coded('ECONNREFUSED'), coded('ENOTFOUND')])],
    ['an error without a code', new Error('x')],
  ])('does not begin for %s', async (_, error) => {
    const log = jest.fn();
    const attempt = failing(error);
    await expect(awaitStart(attempt, { limit: 60_000, log })).rejects.toBe(error);
    expect(attempt).toHaveBeenCalledTimes(1);
    expect(log).not.toHaveBeenCalled();
  });

  it('ends with the last failure when the time is over, and does not begin without any', async () => {
    const attempt = failing(coded('ECONNREFUSED'), coded('ECONNREFUSED'));
    await expect(awaitStart(attempt, { limit: 0 })).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    expect(attempt).toHaveBeenCalledTimes(1);
    let now = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    const always = jest.fn(() => {
      now += 29_750;
      return Promise.reject(coded('57P03'));
    });
    // Half a second after the second attempt the time is over, and not before.
    await expect(awaitStart(always, { limit: 60_000 })).rejects.toMatchObject({ code: '57P03' });
    expect(always).toHaveBeenCalledTimes(3);
    now = 0;
    always.mockClear();
    await expect(awaitStart(always, { limit: 59_999 })).rejects.toMatchObject({ code: '57P03' });
    expect(always).toHaveBeenCalledTimes(2);
  });

  it('ends with the signal', async () => {
    const stopping = new AbortController();
    const always = jest.fn(() => Promise.reject(coded('ECONNREFUSED')));
    const log = (): void => stopping.abort(new Error('stopped'));
    await expect(awaitStart(always, { limit: 60_000, log, signal: stopping.signal })).rejects.toThrow(
      'stopped',
    );
    expect(always).toHaveBeenCalledTimes(1);
  });
});
