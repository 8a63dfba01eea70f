// A service of its own: it has extensions.
import {
  conflict,
  type AssignmentHook,
  type DecidedAssignment,
  type Transaction,
  type WrittenAssignment,
} from '../../src/index.js';
import { expectError } from '../support/error-object.js';
import { mail, nameOf, people, router, RoutingAccount } from '../support/routing-account.js';
import { tableOnEachNode } from '../support/database/cluster.js';
import { sql } from '../support/database/stored-records.js';
import { TestService } from '../support/test-service.js';

/** What the hook of the test that runs does. */
let behave: AssignmentHook;

class TestHook implements AssignmentHook {
  async before(tx: Transaction, assignment: DecidedAssignment): Promise<void> {
    await behave.before?.(tx, assignment);
  }

  async after(tx: Transaction, assignment: WrittenAssignment): Promise<void> {
    await behave.after?.(tx, assignment);
  }
}

let service: TestService;
let account: RoutingAccount;

beforeAll(async () => {
  service = await TestService.start({ extensions: [{ name: 'test', assignmentHooks: [TestHook] }] });
  for (const text of tableOnEachNode('said', 'word text NOT NULL')) await sql(service, text);
});
beforeEach(async () => {
  behave = {};
  account = await RoutingAccount.open(service, {
    users: people(['ada', 'bob', 'eve']),
    routers: [router('R', {}, { users: people(['ada', 'bob', 'eve']) })],
  });
  await sql(service, 'TRUNCATE said');
});
afterAll(() => service.stop());

/** Writes to a table of the extension's own, in the transaction. */
const say = async (tx: Transaction, word: string): Promise<void> => {
  await tx.query({ name: 'test_say', text: 'INSERT INTO said VALUES ($1)' }, [word]);
};

const said = async (): Promise<string[]> =>
  (await sql<{ word: string }>(service, 'SELECT word FROM said ORDER BY 1')).map(({ word }) => word);

/** Throws for one record, after it has written, and otherwise only writes. */
const failing = (step: 'before' | 'after', id: string, error: Error): AssignmentHook => ({
  [step]: async (tx: Transaction, { record }: DecidedAssignment) => {
    await say(tx, record.id);
    if (record.id === id) throw error;
  },
});

const REFUSAL = conflict('Not on a Friday');
const STEPS = ['before', 'after'] as const;

describe('An assignment hook on one record', () => {
  it('is told of the decision, and then of the assignment that was written', async () => {
    const id = await account.contact();
    const seen: [step: string, assignment: any][] = [];
    behave = {
      before: (_, assignment) => Promise.resolve(void seen.push(['before', assignment])),
      after: (_, assignment) => Promise.resolve(void seen.push(['after', assignment])),
    };
    const { body } = await account.dispatch('R', id);
    const told = {
      account: await service.account(account.slug),
      router: { id: await account.routerId('R'), name: 'R' },
      record: expect.objectContaining({ id, fields: { first_name: 'Lead' } }),
      decision: expect.objectContaining({ assigned: true, user: mail('ada'), reason: 'round_robin' }),
    };
    expect(seen).toEqual([
      ['before', told],
      ['after', { ...told, assignmentId: body.assignment_id }],
    ]);
  });

  it('is told where nobody is assigned, too', async () => {
    const id = await account.contact({ contact_owner: mail('bob') });
    const seen: unknown[] = [];
    behave = {
      after: (_, { decision, assignmentId }) =>
        Promise.resolve(void seen.push([decision.assigned, decision.reason, assignmentId])),
    };
    expect(await account.assign('R', id)).toBe('owner_present');
    const [run] = await account.log();
    expect(seen).toEqual([[false, 'owner_present', run?.id]]);
  });

  it.each(STEPS)('refuses it %s it is written: no owner, no turn, no log', async (step) => {
    const id = await account.contact();
    const before = await account.stored();
    behave = failing(step, id, REFUSAL);
    expectError(await account.dispatch('R', id), 409, { message: 'Not on a Friday', code: 'conflict' });
    expect(await account.stored()).toEqual(before);
    expect(await account.log()).toEqual([]);
    expect(await said()).toEqual([]);
    behave = {};
    expect(await account.turns('R', 1)).toBe('ada');
  });

  it('answers 500 where it fails, and nothing is written', async () => {
    const id = await account.contact();
    const before = await account.stored();
    behave = failing('after', id, new TypeError('secret of the extension'));
    expectError(await account.dispatch('R', id), 500, { message: 'Internal server error' });
    expect(await account.stored()).toEqual(before);
    expect(await account.log()).toEqual([]);
  });

  it('is run again with the dispatch after a deadlock', async () => {
    const id = await account.contact();
    let attempts = 0;
    behave = {
      after: async (tx, { record }) => {
        attempts += 1;
        await say(tx, record.id);
        if (attempts < 3) throw Object.assign(new Error('deadlock detected'), { code: '40P01' });
      },
    };
    expect(await account.assign('R', id)).toBe('ada');
    expect(attempts).toBe(3);
    expect(await said()).toEqual([id]);
    expect(await account.log()).toHaveLength(1);
    expect(await account.turns('R', 1)).toBe('bob');
  });

  it('is not called by a simulation', async () => {
    const id = await account.contact();
    const hook = jest.fn();
    behave = { before: hook, after: hook };
    expect((await account.simulate('R', { object_id: id })).body.user).toBe(mail('ada'));
    expect((await account.simulate('R', { fields: { first_name: 'A' } })).body.user).toBe(mail('ada'));
    expect(hook).not.toHaveBeenCalled();
  });
});

describe('An assignment hook on a batch', () => {
  const FAILURES: [Error, status: number, message: string][] = [
    [REFUSAL, 409, 'Not on a Friday'],
    [new TypeError('secret of the extension'), 500, 'Internal server error'],
  ];

  describe.each(STEPS)('%s', (step) => {
    it.each(FAILURES)('that fails for one record spoils no other: %s', async (error, status, message) => {
      const ids = await account.contacts(5);
      behave = failing(step, ids[1]!, error);
      const { status: whole, body } = await account.batch('R', ids);
      expect(whole).toBe(200);
      expect(
        body.results.map(({ object_id, status: each, user, message: said }: any) => [
          object_id,
          each,
          each === 200 ? nameOf(user) : said,
        ]),
      ).toEqual([
        [ids[0], 200, 'ada'],
        [ids[1], status, message],
        [ids[2], 200, 'bob'],
        [ids[3], 200, 'eve'],
        [ids[4], 200, 'ada'],
      ]);
      expect(body.results[1]).toEqual({
        object_id: ids[1],
        status,
        message,
        error: true,
        code: status === 500 ? 'internal' : 'conflict',
        request_id: expect.any(String),
      });

      const assigned = ids.filter((_, index) => index !== 1);
      const log = await account.log();
      expect(log.map(({ object_id }) => object_id)).toEqual(assigned);
      expect(await said()).toEqual([...assigned].sort());
      expect((await account.rotation('R')).seq).toBe(4);
      behave = {};
      expect(await account.assign('R', ids[1])).toBe('bob');
    });
  });

  it('refuses each record that it has something against', async () => {
    const ids = await account.contacts(4);
    behave = { after: () => Promise.reject(REFUSAL) };
    const before = await account.stored();
    const { body } = await account.batch('R', ids);
    expect(body.results.map(({ status }: any) => status)).toEqual([409, 409, 409, 409]);
    expect(await account.stored()).toEqual(before);
    expect(await account.log()).toEqual([]);
  });
});

it('An assignment hook sees all fields of each record of a batch, however large they are', async () => {
  const fields = [{ object_type: 'contacts', internal_name: 'notes', type: 'string', long: true }];
  await account.apply({ fields });
  const notes = ['a', 'b'].map((letter) => letter.repeat(256 * 1024));
  const ids = [
    await account.contact(),
    await account.contact({ notes: notes[0] }),
    await account.contact({ notes: notes[1] }),
  ];
  const seen: unknown[] = [];
  const see = (_: Transaction, { record }: DecidedAssignment): Promise<void> =>
    Promise.resolve(void seen.push(record.fields['notes']));
  behave = { before: see, after: see };
  expect((await account.batch('R', ids)).status).toBe(200);
  expect(seen).toHaveLength(6);
  expect(seen.slice(0, 2)).toEqual([undefined, undefined]);
  expect([notes[0] === seen[2], notes[1] === seen[3], notes[0] === seen[4], notes[1] === seen[5]]).toEqual(
    Array(4).fill(true),
  );
});
