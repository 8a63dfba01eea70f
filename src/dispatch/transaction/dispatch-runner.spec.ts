import {
  configurationOf,
  routerOf,
  STANDARD,
  stored,
  type FakeConfigurations,
} from '../../../test/units/configuration.js';
import type { FakeDatabase } from '../../../test/units/fake-database.js';
import { user } from '../../../test/units/engine-fixtures.js';
import { conflict } from '../../errors/errors.js';
import type { StoredRecord } from '../../records/index.js';
import { storedContact } from '../../../test/units/stored-contact.js';
import { ACME, REFUSED } from '../../../test/units/decisions.js';
import type { FakeDecider } from '../../../test/units/fake-decider.js';
import { AT, type FakeDispatches } from '../../../test/units/fake-dispatches.js';
import { TestRunner } from '../../../test/units/test-runner.js';
import { RefusedByHook, type AssignmentHooks } from './assignment-hooks.js';
import type { DispatchRunner } from './dispatch-runner.js';
import { DISPATCH_SETTINGS } from './dispatch.statements.js';

const configured = (version: string, routers = [routerOf('R', ['ada'])]) =>
  configurationOf({ version, users: [user('ada')], routers });

let test: TestRunner;
let database: FakeDatabase;
let dispatches: FakeDispatches;
let decider: FakeDecider;
let configurations: FakeConfigurations;
let hooks: AssignmentHooks;
let runner: DispatchRunner;

beforeEach(() => {
  test = new TestRunner(configured('1'));
  ({ database, dispatches, decider, configurations, hooks, runner } = test);
});

const run: TestRunner['run'] = (...args) => test.run(...args);
/** Runs the router R on records. */
const runOn = (...ids: readonly string[]): Promise<unknown[]> => run(ids.map((id) => `R ${id}`));

describe('DispatchRunner', () => {
  it('locks the account, reads, decides and writes, in one transaction [contract 4]', async () => {
    expect(await runOn('b', 'a')).toEqual(['ada@acme.test entry of b', 'ada@acme.test entry of a']);
    expect(database.events).toEqual(['BEGIN', 'lock acme', 'read R b,a', 'write R b,a', 'COMMIT']);
    // BEGIN need not be awaited: the first statement only takes a lock.
    expect(database.options).toEqual([{ eager: true, settings: DISPATCH_SETTINGS }]);
    expect(dispatches.commits).toEqual([true]);
  });

  it('reads what is returned with the first statements, where the router returns turns and takes records [contract 4]', async () => {
    const settings = stored({ reimburseWithinMinutes: 10, overwrite: true });
    test = new TestRunner(configured('1', [routerOf('R', ['ada'], { settings })]));
    const turn = { id: 'entry', routerId: 'R', rotationKey: '', team: null, oldOwner: 'a', newOwner: null };
    const held = { id: 'other', objectId: 'b', routerId: 'R', user: 'ada@acme.test' };
    test.database.answer('assignment_read_returned_turns', [turn, { ...turn, routerId: 'S' }]);
    test.database.answer('assignment_find_last', [held]);
    await runOn('b', 'a');
    expect(test.database.events.slice(0, 5)).toEqual([
      'BEGIN',
      'lock acme',
      'read R b,a',
      'assignment_read_returned_turns',
      'assignment_find_last',
    ]);
    expect(test.decider.calls).toMatchObject([{ turns: [turn], held: new Map([['b', held]]) }]);
  });

  it('decides at the clock and by the rotation that were read under the lock, on all that is committed', async () => {
    await runOn('a');
    const [call] = decider.calls;
    expect(call?.reads).toMatchObject({ db: database, at: AT, until: null });
    expect(call?.rotation.seq).toBe(5);
  });

  it('answers with the instant of the assignment [contract 4]', async () => {
    expect(await runner.run(ACME, [{ routerId: 'R', objectId: 'a' }])).toEqual([
      {
        ok: true,
        result: {
          message: 'The object was successfully assigned',
          success: true,
          user: 'ada@acme.test',
          field_name: 'contact_owner',
          owner_assigned_at: 'Wed, 10 Jun 2026 12:00:00 +0000',
          assignment_id: [...dispatches.entries.keys()].at(-1),
          reason: 'round_robin',
        },
      },
    ]);
  });

  it('answers each record for itself, in the order given [4.6, contract 4]', async () => {
    dispatches.records.set('b', storedContact('b', {}, { archived_at: AT }));
    dispatches.records.set('deal', storedContact('deal', {}, { object_type: 'deals' }));
    test.refuses = ['c'];
    expect(await runOn('unknown', 'c', 'b', 'a', 'deal')).toEqual([
      404,
      'no_users_available',
      409,
      'ada@acme.test entry of a',
      400,
    ]);
    expect(decider.calls[0]?.records.map(({ id }) => id)).toEqual(['c', 'a']);
  });

  describe('of an account with long fields', () => {
    const notes = { ...STANDARD[0]!, internalName: 'notes', long: true };
    const read = { groups: [{ conditions: [{ field: 'notes', operator: 'is_empty', value: undefined }] }] };
    const configuredWith = (version: string, values: Parameters<typeof stored>[0] = {}) =>
      configurationOf({
        version,
        users: [user('ada')],
        fields: [...STANDARD, notes],
        routers: [routerOf('R', ['ada'], { settings: stored(values) })],
      });

    it('does not read those that no decision needs [contract 4]', async () => {
      configurations.current = configuredWith('1');
      await runOn('a');
      expect(dispatches.unread).toEqual([['notes']]);
    });

    it('reads all of them where a hook may [contract 4]', async () => {
      hooks.register({});
      configurations.current = configuredWith('1');
      await runOn('a');
      expect(dispatches.unread).toEqual([[]]);
    });

    it('decides on few records at once where it reads them [contract 4]', async () => {
      configurations.current = configuredWith('1', { trigger: read });
      const results = await runOn(...Array.from({ length: 9 }, (_, n) => `r${n}`));
      expect(results).toEqual([...Array<number>(8).fill(404), 'later']);
    });

    it('reads again where the configuration has changed and may need them [contract 4]', async () => {
      configurations.current = configuredWith('1');
      await configurations.cache.use(ACME, () => Promise.resolve('cached'));
      configurations.current = configuredWith('2', { trigger: read });
      dispatches.version = '2';
      expect(await runOn('a')).toEqual(['ada@acme.test entry of a']);
      expect(dispatches.unread).toEqual([['notes'], []]);
      expect(decider.calls.map(({ snapshot }) => snapshot.version)).toEqual(['2']);
    });
  });

  it('writes nothing where no record can be decided on', async () => {
    expect(await runOn('unknown')).toEqual([404]);
    expect(database.events).toEqual(['BEGIN', 'lock acme', 'read R unknown', 'look for unknown', 'COMMIT']);
  }); // prettier-ignore

  it('refuses for a router that is unknown or archived, beside others that run [4.6]', async () => {
    expect(await run(['S a', 'R b'])).toEqual([404, 'ada@acme.test entry of b']);
    expect(await runner.run(ACME, [{ routerId: 'S', objectId: 'a' }])).toMatchObject([
      { ok: false, isOfRouter: true, error: { message: 'Router not found' } },
    ]);
  });

  it('leaves what is not decided on for later: more members would be too many [contract 4]', async () => {
    decider.choose = ({ id }) => (id === 'b' ? undefined : REFUSED);
    expect(await runOn('a', 'b')).toEqual(['no_users_available', 'later']);
    expect(decider.calls[0]?.reads.mostMembers).toBe(50_000);
  });

  describe('where somebody else has locked a record', () => {
    beforeEach(() => (dispatches.held = ['b']));

    it('leaves it, and what its router has behind it, and runs the others [contract 4]', async () => {
      configurations.current = configured('1', [routerOf('R', ['ada']), routerOf('S', ['ada'])]);
      const runs = ['R unknown', 'R b', 'S a', 'R c'];
      expect(await run(runs)).toEqual([404, 'held', 'ada@acme.test entry of a', 'later']);
      expect(database.events).toContain('look for unknown,b');
    });

    it('waits for it before it waits for the account, where it is to [contract 4]', async () => {
      expect(await run(['R b'], { waits: true })).toEqual(['ada@acme.test entry of b']);
      expect(database.events.slice(1, 4)).toEqual(['wait for b', 'lock acme', 'read R b']);
    });
  });

  describe('of several routers', () => {
    it('reads, decides and writes for all of them with the same statements, one after the other [contract 4]', async () => {
      configurations.current = configured('1', [routerOf('R', ['ada']), routerOf('S', ['ada'])]);
      const answers = ['b', 'a', 'c'].map((id) => `ada@acme.test entry of ${id}`);
      expect(await run(['S b', 'R a', 'S c'])).toEqual(answers);
      expect(database.events).toEqual(['BEGIN', 'lock acme', 'read S,R b,a,c', 'write S b,c; R a', 'COMMIT']);
    });

    it('leaves those that set another owner field than the first for later [contract 4]', async () => {
      configurations.current = configured('1', [
        routerOf('R', ['ada']),
        routerOf('Deals', ['ada'], { objectType: 'deals' }),
        routerOf('Other', ['ada'], { settings: stored({ ownerField: 'second_owner' }) }),
      ]);
      expect(await run(['R a', 'Deals b', 'Other c'])).toEqual([
        'ada@acme.test entry of a',
        'later',
        'later',
      ]);
      expect(database.events).toContain('read R a');
    });

    it('chooses them anew where the configuration has changed [contract 4]', async () => {
      await configurations.cache.use(ACME, () => Promise.resolve('cached'));
      const deals = { objectType: 'deals' } as const;
      configurations.current = configured('2', [routerOf('S', ['ada']), routerOf('R', ['ada'], deals)]);
      dispatches.version = '2';
      expect(await run(['R a', 'S b'])).toEqual([400, 'later']);
    });
  });

  describe('when the configuration has changed meanwhile', () => {
    it('reads it under the lock and decides by the new one [contract 4]', async () => {
      await configurations.cache.use(ACME, () => Promise.resolve('cached'));
      configurations.current = configured('2', [routerOf('R', ['ada'], { name: 'Renamed' })]);
      dispatches.version = '2';
      expect(await runOn('a')).toEqual(['ada@acme.test entry of a']);
      expect(decider.calls.map(({ snapshot }) => [snapshot.version, snapshot.name])).toEqual([
        ['2', 'Renamed'],
      ]);
      expect(configurations.loads).toBe(2);
    });

    it('does not read it again where it has not', async () => {
      await runOn('a');
      await runOn('b');
      expect(configurations.loads).toBe(1);
      expect(database.events.filter((event) => event === 'BEGIN')).toHaveLength(2);
    });

    it('refuses by the type that the router has now [4.6]', async () => {
      await configurations.cache.use(ACME, () => Promise.resolve('cached'));
      configurations.current = configured('2', [routerOf('R', ['ada'], { objectType: 'deals' })]);
      dispatches.version = '2';
      expect(await runOn('a')).toEqual([400]);
    });

    it('begins again where the account was not found, and gives up where it is gone [5.3]', async () => {
      dispatches.version = undefined;
      configurations.current = configured('1');
      await configurations.cache.use(ACME, () => Promise.resolve('cached'));
      configurations.current = undefined;
      await expect(runOn('a')).rejects.toMatchObject({ status: 401 });
      expect(decider.calls).toEqual([]);
    });
  });

  describe('with a hook', () => {
    const note =
      (name: string) =>
      (_: unknown, { record }: { record: StoredRecord }): Promise<void> => {
        database.events.push(`${name} ${record.id}`);
        return Promise.resolve();
      };

    it('calls it before and after the write, and commits then', async () => {
      hooks.register({ before: note('before'), after: note('after') });
      await runOn('a', 'b');
      expect(database.events.slice(3)).toEqual([
        'before a',
        'before b',
        'write R a,b',
        'after a',
        'after b',
        'COMMIT',
      ]);
      expect(dispatches.commits).toEqual([false]);
    });

    it('calls nothing where there is nothing to write', async () => {
      hooks.register({ before: note('before') });
      await runOn('unknown');
      expect(database.events).not.toContain('before unknown');
    });

    it('that refuses a lone record undoes it, and the refusal is its answer', async () => {
      hooks.register({ after: () => Promise.reject(conflict('Not today')) });
      expect(await runner.run(ACME, [{ routerId: 'R', objectId: 'a' }])).toEqual([
        { ok: false, error: conflict('Not today') },
      ]);
      expect(database.events.at(-1)).toBe('ROLLBACK');
    });

    it('that refuses one of several undoes all of them, for the queue to run each alone', async () => {
      hooks.register({ before: () => Promise.reject(conflict('Not today')) });
      await expect(runOn('a', 'b')).rejects.toBeInstanceOf(RefusedByHook);
      expect(database.events.at(-1)).toBe('ROLLBACK');
    });

    it('that fails is no refusal', async () => {
      const mistake = new TypeError('a mistake');
      hooks.register({ before: () => Promise.reject(mistake) });
      await expect(runOn('a')).rejects.toBe(mistake);
    });
  });
});
