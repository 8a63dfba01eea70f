import { Logger } from '@nestjs/common';
import { IndexBuilder } from './index-builder.js';
import type { OpenIndex, RecordIndexesRepository } from './record-indexes.repository.js';

const index = (id: number, field: string): OpenIndex => ({
  accountId: `account-${id}`,
  id,
  objectType: 'contacts',
  field,
  isDropped: false,
});
const failure = (code: string): Error => Object.assign(new Error('canceling statement'), { code });

/** Indexes of 3,000 records each. */
class Indexes {
  readonly open = [index(1, 'essay'), index(2, 'plan')];
  readonly left = new Map(this.open.map(({ id }) => [id, 3_000]));
  readonly tried: [number, number][] = [];
  readonly asked: string[] = [];
  /** Throws where a part fails. */
  check: (index: OpenIndex, most: number) => void = () => undefined;
  canAdd = true;

  needChanged({ accountId }: { accountId: string }): Promise<void> {
    this.asked.push(accountId);
    return this.canAdd ? Promise.resolve() : Promise.reject(failure('57014'));
  }

  findOpen(): Promise<OpenIndex[]> {
    return Promise.resolve(this.open.filter(({ id }) => this.left.get(id) !== 0));
  }

  observe(): Promise<object> {
    return Promise.resolve({ id: 1n, running: 2n });
  }

  async advance(open: OpenIndex, most: number): Promise<boolean> {
    this.tried.push([open.id, most]);
    this.check(open, most);
    const left = Math.max(0, this.left.get(open.id)! - most);
    this.left.set(open.id, left);
    return Promise.resolve(left === 0);
  }
}

let indexes: Indexes;
let builder: IndexBuilder;
let logged: unknown[][];

beforeEach(() => {
  indexes = new Indexes();
  builder = new IndexBuilder(indexes as unknown as RecordIndexesRepository);
  logged = [];
  jest.spyOn(Logger.prototype, 'error').mockImplementation((...args) => void logged.push(args));
});
afterEach(() => {
  jest.restoreAllMocks();
});

it.each(['57014', '55P03'])('builds an index in smaller parts where one takes too long: %s', async (code) => {
  indexes.check = ({ id }, most) => {
    if (id === 1 && most > 300) throw failure(code);
  };
  await builder.run();
  // The others do not wait until the size is found.
  expect(indexes.left.get(2)).toBe(0);
  while (indexes.left.get(1) !== 0) await builder.run();
  const sizes = indexes.tried.flatMap(([id, most]) => (id === 1 ? [most] : []));
  expect(sizes.slice(0, 4)).toEqual([2_000, 1_000, 500, 250]);
  expect(logged).toEqual([]);
});

it.each([
  ['takes too long for a single record', '57014'],
  ['has a value of which no key can be made', '54000'],
])('tells of an index that %s, lets it rest and builds the others', async (_, code) => {
  indexes.check = ({ id }) => {
    if (id === 1) throw failure(code);
  };
  for (let rounds = 0; rounds < 20; rounds++) await builder.run();
  expect(indexes.left.get(2)).toBe(0);
  expect(logged).toEqual([
    ['The index of contacts.essay of account account-1 could not be built: canceling statement'],
  ]);
  expect(indexes.tried.findLast(([id]) => id === 1)).toEqual([1, code === '57014' ? 1 : 2_000]);
  expect(indexes.tried.length).toBeLessThan(20);
});

it('ends a round where the database is away', async () => {
  indexes.check = () => {
    throw failure('57P01');
  };
  await expect(builder.run()).rejects.toMatchObject({ code: '57P01' });
  expect(indexes.tried).toEqual([[1, 2_000]]);
  expect(logged).toEqual([]);
});

it('builds indexes though another cannot be added, and adds that when a search needs it again', async () => {
  indexes.canAdd = false;
  const type = { accountId: 'acme', objectType: 'contacts' } as const;
  builder.needChanged(type);
  builder.needChanged(type);
  await builder.run();
  expect([...indexes.left.values()]).toEqual([0, 0]);
  expect(logged).toEqual([
    ['The index of contacts.last_modified_date of account acme could not be added: canceling statement'],
  ]);
  indexes.canAdd = true;
  await builder.run();
  expect(indexes.asked).toEqual(['acme']);
  builder.needChanged(type);
  await builder.run();
  expect(indexes.asked).toEqual(['acme', 'acme']);
});
