import { SettledIds, type Observation } from './settled-ids.js';

const at = (second: number): Date => new Date(Date.UTC(2026, 5, 1, 12, 0, second));
const observed = (second: number, id: number, running: number): Observation => ({
  at: at(second),
  id: BigInt(id),
  running: BigInt(running),
});

describe('the instant before whose ids no new ones appear', () => {
  it('is not known from one observation', () => {
    expect(new SettledIds(5_000).add(observed(10, 100, 100))).toBeUndefined();
  });

  it('is five seconds before an observation, once all transactions of that time have ended', () => {
    const settled = new SettledIds(5_000);
    settled.add(observed(10, 100, 97));
    expect(settled.add(observed(20, 120, 100))).toBeUndefined();
    expect(settled.add(observed(30, 130, 101))).toEqual(at(5));
  });

  it('stays where it is while a transaction of the last observation goes on, and then moves on', () => {
    const settled = new SettledIds(5_000);
    settled.add(observed(10, 100, 100));
    expect(settled.add(observed(11, 101, 101))).toEqual(at(5));
    expect(settled.add(observed(12, 102, 99))).toEqual(at(5));
    expect(settled.add(observed(40, 110, 103))).toEqual(at(6));
    expect(settled.add(observed(50, 120, 120))).toEqual(at(35));
  });

  it('is looked for anew on a server that counts its transactions from a lower id', () => {
    const settled = new SettledIds(5_000);
    settled.add(observed(10, 900, 900));
    expect(settled.add(observed(20, 6, 5))).toBeUndefined();
    expect(settled.add(observed(30, 8, 7))).toEqual(at(15));
  });

  it('can be nearer', () => {
    const settled = new SettledIds(0);
    settled.add(observed(10, 100, 100));
    expect(settled.add(observed(11, 101, 101))).toEqual(at(10));
  });
});
