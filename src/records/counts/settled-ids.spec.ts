import { SettledIds } from './settled-ids.js';

const at = (seconds: number): Date => new Date(1_000_000 + seconds * 1_000);
const observe = (ids: SettledIds, seconds: number, id: number, running: number): Date | undefined =>
  ids.add({ at: at(seconds), id: BigInt(id), running: BigInt(running) });

it('knows nothing from one observation', () => {
  expect(observe(new SettledIds(), 0, 10, 10)).toBeUndefined();
});

it('knows the instant of an observation once every transaction of that time has ended, less 30 s', () => {
  const ids = new SettledIds();
  observe(ids, 40, 10, 10);
  expect(observe(ids, 41, 11, 11)).toEqual(at(10));
});

it('waits for a transaction that was running, however many came after it', () => {
  const ids = new SettledIds();
  observe(ids, 40, 10, 7);
  expect(observe(ids, 41, 20, 7)).toBeUndefined();
  expect(observe(ids, 42, 30, 7)).toBeUndefined();
  expect(observe(ids, 43, 40, 25)).toEqual(at(11));
});

it('does not take the id of the observation itself for ended', () => {
  const ids = new SettledIds();
  observe(ids, 40, 10, 10);
  expect(observe(ids, 41, 12, 10)).toBeUndefined();
});

it('keeps what it knows while another transaction runs', () => {
  const ids = new SettledIds(0);
  observe(ids, 1, 10, 10);
  expect(observe(ids, 2, 11, 11)).toEqual(at(1));
  expect(observe(ids, 3, 15, 11)).toEqual(at(1));
  expect(observe(ids, 4, 16, 12)).toEqual(at(2));
});
