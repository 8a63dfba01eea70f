// A service of its own: it has extensions.
import {
  conflict,
  Database,
  DomainError,
  invalidField,
  RecordsService,
  type RecordHook,
  type RecordWrite,
  type RecordWriteSteps,
  type Transaction,
} from '../../src/index.js';
import { expectError, expectInvalid } from '../support/error-object.js';
import { HeldRecords } from '../support/database/held-records.js';
import { RoutingAccount } from '../support/routing-account.js';
import { tableOnEachNode } from '../support/database/cluster.js';
import { sql, storedRecords } from '../support/database/stored-records.js';
import { TestService } from '../support/test-service.js';
import { waitFor } from '../support/wait-for.js';

/** What the hook of the test that runs does. */
let steps: (write: RecordWrite) => RecordWriteSteps | undefined;

class TestHook implements RecordHook {
  onWrite(write: RecordWrite): RecordWriteSteps | undefined {
    return steps(write);
  }
}

let service: TestService;
let account: RoutingAccount;
let accountId: string;

beforeAll(async () => {
  service = await TestService.start({
    extensions: [{ name: 'test', recordHooks: [TestHook] }],
    // PostgreSQL finds a deadlock after a second.
    limits: { lock: 3_000 },
  });
  for (const text of tableOnEachNode('said', 'word text NOT NULL')) await sql(service, text);
  steps = () => undefined;
  account = await RoutingAccount.open(service, {});
  ({ accountId } = await service.account(account.slug));
});
beforeEach(async () => {
  steps = () => undefined;
  await sql(service, 'TRUNCATE said');
});
afterAll(() => service.stop());

const LOCK = {
  name: 'test_lock',
  text: 'SELECT 1 FROM records WHERE account_id = $1 AND id = $2 FOR UPDATE',
};

/** Writes to a table of the extension's own, in the transaction. */
const say = (tx: Transaction, word: string): Promise<unknown> =>
  tx.query({ name: 'test_say', text: 'INSERT INTO said VALUES ($1)' }, [word]);

const said = async (): Promise<string[]> =>
  (await sql<{ word: string }>(service, 'SELECT word FROM said ORDER BY 1')).map(({ word }) => word);

const WRITES = {
  create: () => account.api.post('/contacts', { fields: { first_name: 'New' } }),
  update: (id: string) => account.api.patch(`/contacts/${id}`, { fields: { first_name: 'New' } }),
  archive: (id: string) => account.api.delete(`/contacts/${id}`),
};
const ACTIONS = ['create', 'update', 'archive'] as const;

describe.each(ACTIONS)('A record hook on %s', (action) => {
  let id: string;
  beforeEach(async () => {
    id = await account.contact({ first_name: 'Old' });
  });

  it('is told of the write, and of the record before and after', async () => {
    const seen: unknown[] = [];
    steps = ({ client, configuration: _, ...write }) => {
      seen.push([client.accountId, write]);
      return {
        before: (tx) => say(tx, 'before').then(() => undefined),
        after: async (tx, { previous, record }) => {
          await say(tx, 'after');
          seen.push([previous?.fields, record.fields, record.archived_at !== null]);
        },
      };
    };
    const { body } = await WRITES[action](id);
    const changes = new Map(action === 'archive' ? [] : [['first_name', 'New']]);
    const after = { first_name: action === 'archive' ? 'Old' : 'New' };
    expect(seen).toEqual([
      [accountId, { action, objectType: 'contacts', id: action === 'create' ? null : id, changes }],
      [action === 'create' ? undefined : { first_name: 'Old' }, after, action === 'archive'],
    ]);
    expect(body.first_name).toBe(after.first_name);
    expect(await said()).toEqual(['after', 'before']);
  });

  it('has its steps where the path spells the id in capitals', async () => {
    steps = () => ({ after: (tx) => say(tx, 'after').then(() => undefined) });
    expect((await WRITES[action](id.toUpperCase())).status).toBeLessThan(300);
    expect(await said()).toEqual(['after']);
  });

  it.each(['before', 'after'] as const)('refuses %s it, and nothing is written', async (step) => {
    steps = () => ({
      before: (tx) => say(tx, 'before').then(() => undefined),
      [step]: (tx: Transaction) =>
        say(tx, 'refusing').then(() => {
          throw conflict('Frozen until Monday');
        }),
    });
    const before = await storedRecords(service);
    expectError(await WRITES[action](id), 409, { message: 'Frozen until Monday', code: 'conflict' });
    expect(await storedRecords(service)).toEqual(before);
    expect(await said()).toEqual([]);
  });

  it('answers 500 where it fails, says nothing of it, and nothing is written', async () => {
    steps = () => ({ after: () => Promise.reject(new TypeError('secret of the extension')) });
    const before = await storedRecords(service);
    expectError(await WRITES[action](id), 500, { message: 'Internal server error' });
    expect(await storedRecords(service)).toEqual(before);
    expect(JSON.stringify(service.logs)).toContain('secret of the extension');
  });
});

describe('A record hook', () => {
  it('chooses the status, the field and the headers of its refusal', async () => {
    steps = () => ({ before: () => Promise.reject(invalidField('first_name', 'Ask the owner')) });
    expectInvalid(await WRITES.create(), ['first_name', 'Ask the owner']);
    const details = { status: 423, headers: { 'Retry-After': '60' } };
    steps = () => ({ before: () => Promise.reject(new DomainError('conflict', 'Locked', details)) });
    const response = await WRITES.create();
    expectError(response, 423, { message: 'Locked', code: 'conflict' });
    expect(response.headers.get('retry-after')).toBe('60');
  });

  it('is not told of what is refused anyway', async () => {
    const after = jest.fn();
    steps = () => ({ after });
    const unknown = '01890000-0000-7000-8000-000000000000';
    expectError(await WRITES.update(unknown), 404, { message: 'Contact not found' });
    expectError(await WRITES.archive(unknown), 404, { message: 'Contact not found' });
    expect((await account.api.post('/contacts', { fields: { nickname: 'x' } })).status).toBe(400);
    expect(after).not.toHaveBeenCalled();
  });

  it('is run again with its write after a deadlock', async () => {
    const ids = [await account.contact({ first_name: 'Old' }), await account.contact({ first_name: 'Old' })];
    let holding = 0;
    let attempts = 0;
    steps = ({ id }) => ({
      after: async (tx) => {
        attempts += 1;
        await say(tx, String(id));
        // Each holds its own contact now, and wants the other one's.
        holding += 1;
        await waitFor('both to hold a lock', () => holding >= 2 || undefined);
        const other = ids.find((one) => one !== id);
        await tx.query(LOCK, [accountId, other]);
      },
    });
    const answers = await Promise.all(ids.map((id) => WRITES.update(id)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(attempts).toBeGreaterThan(2);
    expect(await said()).toEqual([...ids].sort());
  });
});

describe('RecordsService.lock', () => {
  const lock = async (
    id: string,
    work: () => Promise<unknown> = () => Promise.resolve(),
  ): Promise<unknown> => {
    return service.app.get(Database, { strict: false }).transaction(async (tx) => {
      const record = await service.app
        .get(RecordsService, { strict: false })
        .lock(tx, { accountId }, { objectType: 'contacts', id });
      await work();
      return record;
    });
  };

  it('holds a record until the transaction ends', async () => {
    const id = await account.contact({ first_name: 'Old' });
    let archived: unknown;
    const record = await lock(id, async () => {
      void WRITES.archive(id).then(({ status }) => (archived = status));
      await new HeldRecords(() => service).waiting(1);
      expect(archived).toBeUndefined();
    });
    expect(record).toMatchObject({ id, fields: { first_name: 'Old' } });
    expect(await waitFor('the contact to be archived', () => archived)).toBe(200);
  });

  it('refuses what it cannot hold', async () => {
    const id = await account.contact();
    await WRITES.archive(id);
    await expect(lock(id)).rejects.toMatchObject({ status: 409 });
    const other = await RoutingAccount.open(service, {});
    for (const unknown of ['x', '01890000-0000-7000-8000-000000000000', await other.contact()]) {
      await expect(lock(unknown)).rejects.toMatchObject({ status: 404, message: 'Contact not found' });
    }
  });
});
