import { parseSettings } from '../settings/settings.js';
import { stopTimes } from './stop-times.js';

describe('a stop', () => {
  it('takes 30 s at most where settings say nothing else [contract 5]', () => {
    expect(stopTimes(parseSettings({}))).toEqual({ drain: 5_000, grace: 15_000, rest: 10_000 });
  });

  it.each(['6001', '14000', '50000'])('waits for a request of %s ms [contract 5]', (REQUEST_TIMEOUT_MS) => {
    const { grace } = stopTimes(parseSettings({ REQUEST_TIMEOUT_MS }));
    expect(grace).toBe(Number(REQUEST_TIMEOUT_MS) + 1_000);
  });
});
