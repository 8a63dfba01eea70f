import { KnownToAll, SettledIds, type Observation } from './settled.js';

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

it('A key is known to all when every transaction has ended that began before it could be seen', () => {
  const known = new KnownToAll();
  expect([...known.add(['a'], { id: 10n, running: 8n })]).toEqual([]);
  expect([...known.add(['a', 'b'], { id: 12n, running: 10n })]).toEqual([]);
  expect([...known.add(['a', 'b'], { id: 14n, running: 11n })]).toEqual(['a']);
  expect([...known.add(['a', 'b'], { id: 15n, running: 13n })]).toEqual(['a', 'b']);
});

it('A key that was left out is new again, and so are all on another server', () => {
  const known = new KnownToAll();
  known.add(['a', 'b'], { id: 10n, running: 10n });
  known.add(['b'], { id: 11n, running: 10n });
  expect([...known.add(['a', 'b'], { id: 20n, running: 15n })]).toEqual(['b']);
  expect([...known.add(['b'], { id: 3n, running: 3n })]).toEqual([]);
  expect([...known.add(['b'], { id: 5n, running: 4n })]).toEqual(['b']);
});
