import type { Transaction } from '../../database/index.js';
import { configurationOf } from '../../../test/units/configuration.js';
import { user } from '../../../test/units/engine-fixtures.js';
import { conflict } from '../../errors/errors.js';
import type { LoggedDecision } from './dispatch-result.js';
import type { RouterSnapshot } from '../snapshot/router-snapshots.js';
import { AssignmentHooks, RefusedByHook } from './assignment-hooks.js';

const tx = {} as Transaction;
const snapshot = {
  account: { accountId: 'acme' },
  id: 'router',
  name: 'Inbound',
  objectType: 'contacts',
  ...configurationOf({ users: [user('eve', { storedAs: 'ada@acme.test' })] }),
} as unknown as RouterSnapshot;
const decided = ['a', 'b'].map((id) => ({
  snapshot,
  record: { id, fields: { contact_owner: 'ada@acme.test', email: 'ada@acme.test' } },
  decision: { assigned: true },
  assignmentId: `assignment of ${id}`,
})) as never as LoggedDecision[];

describe('AssignmentHooks', () => {
  it('are empty until one is registered', () => {
    const hooks = new AssignmentHooks();
    expect(hooks.isEmpty).toBe(true);
    hooks.register({});
    expect(hooks.isEmpty).toBe(false);
  });

  it('are told of each assignment, in order, before and after', async () => {
    const hooks = new AssignmentHooks();
    const told: unknown[] = [];
    for (const name of ['first', 'second']) {
      hooks.register({
        before: (_, { account, router, record }) => {
          told.push([name, 'before', account.accountId, router, record.id]);
          return Promise.resolve();
        },
        after: (_, { account, router, assignmentId, decision }) => {
          told.push([name, 'after', account.accountId, router, assignmentId, decision.assigned]);
          return Promise.resolve();
        },
      });
    }
    await hooks.before(tx, decided);
    await hooks.after(tx, decided);
    const router = { id: 'router', name: 'Inbound' };
    expect(told).toEqual([
      ['first', 'before', 'acme', router, 'a'],
      ['second', 'before', 'acme', router, 'a'],
      ['first', 'before', 'acme', router, 'b'],
      ['second', 'before', 'acme', router, 'b'],
      ['first', 'after', 'acme', router, 'assignment of a', true],
      ['second', 'after', 'acme', router, 'assignment of a', true],
      ['first', 'after', 'acme', router, 'assignment of b', true],
      ['second', 'after', 'acme', router, 'assignment of b', true],
    ]);
  });

  it('are told the e-mails that users have now [contract 6]', async () => {
    const hooks = new AssignmentHooks();
    const told: unknown[] = [];
    hooks.register({ before: (_, { record }) => Promise.resolve(void told.push(record.fields)) });
    await hooks.before(tx, decided.slice(0, 1));
    expect(told).toEqual([{ contact_owner: 'eve@acme.test', email: 'ada@acme.test' }]);
  });

  it('refuse with a domain error that is thrown at once', async () => {
    const hooks = new AssignmentHooks();
    hooks.register({
      before: () => {
        throw conflict('Not today');
      },
    });
    await expect(hooks.before(tx, decided)).rejects.toBeInstanceOf(RefusedByHook);
  });

  it.each(['before', 'after'] as const)('refuse with a domain error %s', async (step) => {
    const hooks = new AssignmentHooks();
    const refusal = conflict('Not today');
    hooks.register({ [step]: () => Promise.reject(refusal) });
    const work = hooks.before(tx, decided).then(() => hooks.after(tx, decided));
    const error: unknown = await work.catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(RefusedByHook);
    expect(error).toMatchObject({ refusal, cause: refusal, message: 'Not today' });
  });

  it('let any other error through as it is', async () => {
    const hooks = new AssignmentHooks();
    const lost = new Error('connection lost');
    hooks.register({ before: () => Promise.reject(lost) });
    await expect(hooks.before(tx, decided)).rejects.toBe(lost);
  });
});
