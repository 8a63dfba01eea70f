import { FakeDatabase } from '../../../test/units/fake-database.js';
import { ACME } from '../../../test/units/decisions.js';
import { DispatchLocks } from './dispatch-locks.js';

const locks = new DispatchLocks();
let database: FakeDatabase;
beforeEach(() => (database = new FakeDatabase()));

describe('the locks of a dispatch', () => {
  it('are those of the account with its router, and of its users [contract 4]', async () => {
    await locks.waitForRouter(database.tx, ACME, 'R');
    await locks.waitForUsers(database.tx, ACME, ['ada@acme.test']);
    expect(database.sent).toEqual([
      { name: 'dispatch_lock_router', values: ['acme', 'R'] },
      { name: 'dispatch_lock_users', values: ['acme', ['ada@acme.test']] },
    ]);
  });

  it('are tried in one order, and are those that were free [contract 4]', async () => {
    database.answer('dispatch_try_routers', [{ locked: ['S'] }]);
    expect(await locks.tryRouters(database.tx, ACME, ['S', 'R'])).toEqual(new Set(['S']));
    expect(database.sent).toEqual([{ name: 'dispatch_try_routers', values: ['acme', ['R', 'S']] }]);
  });
});
