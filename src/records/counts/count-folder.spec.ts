import { CountFolder } from './count-folder.js';
import type { CounterKeeper } from './counter-keeper.js';
import type { CountedType, RecordCountsRepository } from './record-counts.repository.js';

const CONTACTS: CountedType = { accountId: 'acme', objectType: 'contacts' };
const DEALS: CountedType = { accountId: 'acme', objectType: 'deals' };

/** A repository whose transactions have all ended at each look, 6 s after the one before. */
class Counts {
  changed: CountedType[] = [];
  readonly folded: CountedType[] = [];
  /** Types that are not done after one fold. */
  readonly more = new Set<CountedType>();
  observed = 0;
  /** A transaction does not end. */
  isStuck = false;

  findChanged(): Promise<CountedType[]> {
    return Promise.resolve(this.changed);
  }

  observe(): Promise<object> {
    const id = BigInt(++this.observed);
    return Promise.resolve({
      at: new Date(60_000 + this.observed * 6_000),
      id,
      running: this.isStuck ? 2n : id,
    });
  }

  fold(type: CountedType): Promise<boolean> {
    this.folded.push(type);
    return Promise.resolve(this.more.delete(type));
  }
}

/** Notes what it was told. */
class Keeper {
  isStopped = false;

  stop(): void {
    this.isStopped = true;
  }
}

let counts: Counts;
let keeper: Keeper;
let folder: CountFolder;

beforeEach(() => {
  counts = new Counts();
  keeper = new Keeper();
  folder = new CountFolder(counts as unknown as RecordCountsRepository, keeper as unknown as CounterKeeper);
});

it('asks for nothing but changes where none wait', async () => {
  await folder.fold();
  expect(counts.observed).toBe(0);
  expect(counts.folded).toEqual([]);
});

it('folds types with changes, once it knows which ids are settled', async () => {
  counts.changed = [CONTACTS];
  await folder.fold();
  expect(counts.folded).toEqual([]);
  await folder.fold();
  expect(counts.folded).toEqual([CONTACTS]);
});

it('folds what a list found until the ids of that time are settled, which is ten seconds later', async () => {
  folder.noteUncounted(DEALS, 501);
  folder.noteUncounted({ ...DEALS }, 501);
  for (let round = 0; round < 6; round++) await folder.fold();
  // Noticed at 66 s. Ids are settled until 56 s in the second round, 62 s in the third, 68 s in the fourth.
  expect(counts.folded).toEqual([DEALS, DEALS]);
});

it('folds a type of which many records were created, and no other', async () => {
  for (let n = 0; n <= 500; n++) folder.noteCreated(CONTACTS);
  for (let n = 0; n < 500; n++) folder.noteCreated(DEALS);
  folder.noteUncounted(DEALS, 500);
  for (let round = 0; round < 6; round++) await folder.fold();
  expect(counts.folded).toEqual([CONTACTS, CONTACTS]);
  folder.noteCreated(CONTACTS);
  await folder.fold();
  expect(counts.folded).toHaveLength(2);
});

it('folds a wanted type again only when more is settled, however often it is wanted', async () => {
  folder.noteUncounted(DEALS, 501);
  await folder.fold();
  await folder.fold();
  counts.isStuck = true;
  for (let round = 0; round < 6; round++) {
    folder.noteUncounted(DEALS, 501);
    await folder.fold();
  }
  expect(counts.folded).toEqual([DEALS]);
});

it('goes on with what was not done, after the other types', async () => {
  counts.more.add(CONTACTS);
  counts.changed = [CONTACTS, DEALS];
  for (let round = 0; round < 2; round++) await folder.fold();
  counts.changed = [DEALS];
  await folder.fold();
  expect(counts.folded).toEqual([CONTACTS, DEALS, DEALS, CONTACTS]);
});

it('begins nothing in a shutdown', async () => {
  counts.changed = [CONTACTS];
  await folder.fold();
  await folder.beforeApplicationShutdown();
  await folder.fold();
  expect(counts.folded).toEqual([]);
  expect(keeper.isStopped).toBe(true);
});
