import type { DataSource } from 'typeorm';
import { Database } from './database.js';
import { FakeDatabase } from '../../test/units/fake-database.js';

const SOME = { name: 'some', text: 'SELECT 1' };

let whole: FakeDatabase;
let work: Database;

beforeEach(() => {
  whole = new FakeDatabase();
  work = Database.of({ driver: {} } as DataSource).for({ transaction: whole.tx });
});

describe('Work that is part of a transaction', () => {
  it('sends its statements in the transaction [contract 7]', async () => {
    whole.answer('some', [{ n: 1 }]);
    expect(await work.query(SOME, ['a'])).toEqual([{ n: 1 }]);
    expect(whole.sent).toEqual([{ name: 'some', values: ['a'] }]);
    expect(await work.read((db) => db.query(SOME, ['b']))).toEqual([]);
    expect(whole.events).toEqual(['some', 'some']);
  });

  it('reads entities in the transaction [contract 7]', async () => {
    expect(await work.read((db) => Promise.resolve(db))).toBe(whole.tx);
  });

  it('begins and commits nothing: a transaction of it is the whole one, behind a savepoint [contract 7]', async () => {
    const result = await work.transaction(async (tx) => {
      expect(tx).toBe(whole.tx);
      await tx.query(SOME, []);
      return 'done';
    });
    expect(result).toBe('done');
    expect(whole.events).toEqual(['SAVEPOINT', 'some', 'RELEASE']);
  });

  it('undoes what may fail without the rest [contract 7]', async () => {
    const error = new Error('of the part');
    await expect(work.savepoint(() => Promise.reject(error))).rejects.toBe(error);
    await expect(work.transaction(() => Promise.reject(error))).rejects.toBe(error);
    expect(whole.events).toEqual(['SAVEPOINT', 'RELEASE', 'SAVEPOINT', 'RELEASE']);
  });
});
