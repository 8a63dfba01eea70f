import type { ClientContext } from '../../auth/index.js';
import type { ConfigurationCache } from '../../configuration/index.js';
import { newId, type Database } from '../../database/index.js';
import { shownViews } from '../record-view.js';
import type { RecordValidator } from '../record-validator.js';
import type { RecordsRepository } from '../records.repository.js';
import type { RecordsService } from '../records.service.js';
import { BatchReader } from './batch-reader.js';

const client = { accountId: newId() } as ClientContext;
/** About the most that a record has beside others of a page. */
const LARGE = 64 * 1024;

/** A reader of records with a field of some characters, which notes how many records it reads. */
function readerOf(characters: number): { readonly reader: BatchReader; readonly read: string[] } {
  const read: string[] = [];
  const tx = {
    query: (_: unknown, [, , ids]: readonly [unknown, unknown, readonly string[]]): Promise<object[]> => {
      read.push(...ids);
      return Promise.resolve(
        ids.map((id) => ({ id, view: JSON.stringify({ id, text: 'x'.repeat(characters) }), renamed: null })),
      );
    },
  };
  const database = { for: () => ({ transaction: (work: (db: object) => unknown) => work(tx) }) };
  const configurations = { use: (_: unknown, work: (configuration: object) => unknown) => work({}) };
  const records = { shown: () => Promise.resolve(shownViews('contacts', [], [])) };
  const reader = new BatchReader(
    database as unknown as Database,
    configurations as unknown as ConfigurationCache,
    { name: (_, { id: name, objectType }) => ({ objectType, by: 'id', name }) } as RecordValidator,
    {} as RecordsRepository,
    records as unknown as RecordsService,
  );
  return { reader, read };
}
const batch = (names: readonly string[]) =>
  ({ objectType: 'contacts', property: undefined, names, selection: {} }) as const;

it('reads no more pages once the views are more than an answer may have [contract 7]', async () => {
  const { reader, read } = readerOf(LARGE);
  const names = Array.from({ length: 500 }, () => newId());
  await expect(reader.read(client, batch(names))).rejects.toMatchObject({ status: 413 });
  expect(read).toEqual(names.slice(0, 200));
});

it('reads as many records as fit, each once, and answers in the order given [contract 7]', async () => {
  const { reader, read } = readerOf(10);
  const names = Array.from({ length: 450 }, () => newId());
  const views = await reader.read(client, batch([...names, ...names.slice(0, 50)]));
  expect(views.map((view) => view?.id)).toEqual([...names, ...names.slice(0, 50)]);
  expect(read).toEqual(names);
});
