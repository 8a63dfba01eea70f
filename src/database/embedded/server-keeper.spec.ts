import { EmbeddedPostgresError } from './embedded-postgres.error.js';
import type { ServerHold } from './server-hold.js';
import { ServerKeeper } from './server-keeper.js';
import type { Attachment } from './server-sighting.js';

/** A hold that is lost when the test says so. */
function attachment(): Attachment & { readonly lose: () => void } {
  let lose = (): void => undefined;
  const lost = new Promise<void>((resolve) => (lose = resolve));
  const hold = { lost } as unknown as ServerHold;
  return {
    hold,
    lose,
    address: { host: '/data/postgres', port: 5432 },
    cluster: { dev: 1, ino: 2, system: '3' },
  };
}

describe('ServerKeeper', () => {
  let reattach: jest.Mock<Promise<Attachment>, [AbortSignal]>;
  let onLost: jest.Mock<undefined, [EmbeddedPostgresError]>;
  let keeper: ServerKeeper;
  const said: string[] = [];

  function keep(first: Attachment): void {
    keeper = new ServerKeeper(first, { reattach, onLost, log: (message) => said.push(message) });
  }

  beforeEach(() => {
    jest.useFakeTimers();
    reattach = jest.fn<Promise<Attachment>, [AbortSignal]>();
    onLost = jest.fn<undefined, [EmbeddedPostgresError]>();
    said.length = 0;
  });
  afterEach(async () => {
    await keeper.stop();
    jest.useRealTimers();
  });

  it('takes the hold again however often, and long, the attempts fail', async () => {
    const [first, second, third] = [attachment(), attachment(), attachment()];
    keep(first);
    reattach.mockRejectedValue(new Error('full disk'));
    first.lose();
    await jest.advanceTimersByTimeAsync(3_600_000);
    expect(reattach.mock.calls.length).toBeGreaterThan(1_700);
    expect(said).toEqual([expect.stringContaining('was lost'), expect.stringContaining('full disk')]);
    reattach.mockResolvedValueOnce(second).mockResolvedValueOnce(third);
    await jest.advanceTimersByTimeAsync(2_000);
    second.lose();
    await jest.advanceTimersByTimeAsync(10_000);
    expect(onLost).not.toHaveBeenCalled();
    expect(await keeper.stop()).toBe(third.hold);
  });

  it('makes no further attempt after a final error, which it reports once', async () => {
    const first = attachment();
    const error = new EmbeddedPostgresError('replaced', { final: true });
    keep(first);
    reattach.mockRejectedValueOnce(new EmbeddedPostgresError('full disk')).mockRejectedValue(error);
    first.lose();
    await jest.advanceTimersByTimeAsync(60_000);
    expect(reattach).toHaveBeenCalledTimes(2);
    expect(onLost.mock.calls).toEqual([[error]]);
  });

  it('gives up when it is stopped, after the attempt under way', async () => {
    const [first, second] = [attachment(), attachment()];
    keep(first);
    let succeed = (_: Attachment): void => undefined;
    reattach.mockReturnValueOnce(new Promise((resolve) => (succeed = resolve)));
    first.lose();
    await jest.advanceTimersByTimeAsync(100);
    const stopped = keeper.stop();
    expect(reattach.mock.calls[0]![0].aborted).toBe(true);
    succeed(second);
    expect(await stopped).toBe(second.hold);
    second.lose();
    await jest.advanceTimersByTimeAsync(60_000);
    expect(reattach).toHaveBeenCalledTimes(1);
  });

  it('waits for no further attempt when it is stopped between two', async () => {
    const first = attachment();
    keep(first);
    reattach.mockRejectedValue(new Error('full disk'));
    first.lose();
    await jest.advanceTimersByTimeAsync(60_000);
    const attempts = reattach.mock.calls.length;
    expect(await keeper.stop()).toBe(first.hold);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(reattach).toHaveBeenCalledTimes(attempts);
  });
});
