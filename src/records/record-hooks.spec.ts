import type { Database, Queryable } from '../database/index.js';
import { conflict } from '../errors/errors.js';
import { RecordHooks, type RecordHook, type RecordWrite } from './record-hooks.js';
import type { RecordsRepository } from './records.repository.js';
import type { StoredRecord } from './record-view.js';

const ID = '01a1fe1c-5be2-7aa0-8d0c-61ddf2f1a7d5';
const stored = (name: string): StoredRecord => ({
  id: ID,
  object_type: 'contacts',
  fields: { first_name: name },
  archived_at: null,
  archived_by: null,
  created_at: new Date(0),
  updated_at: new Date(0),
});

const write = (values: Partial<RecordWrite> = {}): RecordWrite => ({
  action: 'update',
  client: { accountId: 'acme', clientId: 'client', scopes: new Set() },
  objectType: 'contacts',
  id: ID,
  changes: new Map([['first_name', 'after']]),
  configuration: {} as RecordWrite['configuration'],
  ...values,
});

let events: string[];
let attempts: number;
let hooks: RecordHooks;
const tx = { name: 'transaction' };

const database = {
  name: 'database',
  for: (): unknown => database,
  transaction: async (work: (transaction: unknown) => Promise<unknown>) => {
    for (let attempt = 1; attempt < attempts; attempt++) await work(tx);
    events.push('begin');
    const result = await work(tx);
    events.push('commit');
    return result;
  },
};
const records = {
  lock: (transaction: unknown, _: unknown, { id }: { id: string }) => {
    expect(transaction).toBe(tx);
    events.push(`lock ${id === ID ? 'the record' : id}`);
    return Promise.resolve(stored('before'));
  },
};

beforeEach(() => {
  events = [];
  attempts = 1;
  hooks = new RecordHooks(database as unknown as Database, records as unknown as RecordsRepository);
});

const run =
  (found = true) =>
  (db: Queryable) => {
    events.push(`write in the ${(db as unknown as { name: string }).name}`);
    return Promise.resolve(found ? stored('after') : undefined);
  };

const hook = (name: string): RecordHook => ({
  onWrite: () => ({
    before: () => {
      events.push(`${name} before`);
      return Promise.resolve();
    },
    after: (_, { previous, record }) => {
      events.push(
        `${name} after ${previous?.fields['first_name'] ?? 'nothing'} → ${record.fields['first_name'] ?? ''}`,
      );
      return Promise.resolve();
    },
  }),
});

describe('RecordHooks', () => {
  it('writes without a transaction where there is no hook', async () => {
    expect(await hooks.around(write(), run())).toEqual(stored('after'));
    expect(events).toEqual(['write in the database']);
  });

  it('writes without a transaction where every hook stays out', async () => {
    hooks.register({ onWrite: () => undefined });
    hooks.register({ onWrite: () => Promise.resolve(undefined) });
    await hooks.around(write(), run());
    expect(events).toEqual(['write in the database']);
  });

  it('runs the steps of all hooks in one transaction, in the order of their registration', async () => {
    hooks.register(hook('first'));
    hooks.register({ onWrite: () => undefined });
    hooks.register(hook('second'));
    expect(await hooks.around(write(), run())).toEqual(stored('after'));
    expect(events).toEqual([
      'begin',
      'first before',
      'second before',
      'lock the record',
      'write in the transaction',
      'first after before → after',
      'second after before → after',
      'commit',
    ]);
  });

  it('has nothing to lock and no record before for a create', async () => {
    hooks.register(hook('hook'));
    await hooks.around(write({ action: 'create', id: null }), run());
    expect(events).toEqual([
      'begin',
      'hook before',
      'write in the transaction',
      'hook after nothing → after',
      'commit',
    ]);
  });

  it('undoes what was done before a write that wrote nothing, and calls nothing after it', async () => {
    hooks.register(hook('hook'));
    expect(await hooks.around(write(), run(false))).toBeUndefined();
    expect(events).toEqual(['begin', 'hook before', 'lock the record', 'write in the transaction']);
  });

  it('writes nothing that a hook refuses before', async () => {
    hooks.register({ onWrite: () => ({ before: () => Promise.reject(conflict('Locked')) }) });
    await expect(hooks.around(write(), run())).rejects.toMatchObject({ status: 409, message: 'Locked' });
    expect(events).toEqual(['begin']);
  });

  it('commits nothing that a hook refuses after', async () => {
    hooks.register({ onWrite: () => ({ after: () => Promise.reject(conflict('Too late')) }) });
    await expect(hooks.around(write(), run())).rejects.toMatchObject({ status: 409 });
    expect(events).not.toContain('commit');
  });

  it('asks each hook once, however often the transaction is rerun', async () => {
    attempts = 3;
    let asked = 0;
    hooks.register({
      onWrite: () => {
        asked += 1;
        return {};
      },
    });
    await hooks.around(write(), run());
    expect(asked).toBe(1);
    expect(events.filter((event) => event.startsWith('write'))).toHaveLength(3);
  });
});
