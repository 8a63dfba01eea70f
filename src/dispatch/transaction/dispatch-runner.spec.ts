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
const runAll: TestRunner['runAll'] = (records) => test.runAll(records);

describe('DispatchRunner', () => {
  it('locks a router that is free, reads, decides and writes, in one transaction [contract 4]', async () => {
    expect(await run(['b', 'a'])).toEqual(['ada@acme.test entry of b', 'ada@acme.test entry of a']);
    expect(database.events).toEqual([
      'BEGIN',
      'try acme R',
      'read R b,a',
      'lock acme ada@acme.test',
      'write R b,a',
      'COMMIT',
    ]);
    // BEGIN need not be awaited: the first statement only takes a lock.
    expect(database.options).toEqual([{ eager: true }]);
    expect(dispatches.commits).toEqual([true]);
  });

  it('reads what is returned with the first statements, where the router returns turns and takes records [contract 4]', async () => {
    const settings = stored({ reimburseWithinMinutes: 10, overwrite: true });
    test = new TestRunner(configured('1', [routerOf('R', ['ada'], { settings })]));
    const turn = { id: 'entry', routerId: 'R', rotationKey: '', team: null, oldOwner: 'a', newOwner: null };
    const held = { id: 'other', objectId: 'b', routerId: 'R', user: 'ada@acme.test' };
    test.database.answer('assignment_read_returned_turns', [turn, { ...turn, routerId: 'S' }]);
    test.database.answer('assignment_find_last', [held]);
    await run(['b', 'a']);
    expect(test.database.events.slice(0, 5)).toEqual([
      'BEGIN',
      'try acme R',
      'read R b,a',
      'assignment_read_returned_turns',
      'assignment_find_last',
    ]);
    expect(test.decider.calls).toMatchObject([{ turns: [turn], held: new Map([['b', held]]) }]);
  });

  it('decides at the clock and by the rotation that were read under the lock, on all that is committed', async () => {
    await run(['a']);
    const [call] = decider.calls;
    expect(call?.reads).toMatchObject({ db: database, at: AT, until: null });
    expect(call?.rotation.seq).toBe(5);
  });

  it('answers with the instant of the assignment [contract 4]', async () => {
    const [result] = await runner.run(ACME, [{ routerId: 'R', objectIds: ['a'] }]);
    expect(result?.outcomes).toEqual([
      {
        ok: true,
        result: {
          message: 'The object was successfully assigned',
          success: true,
          user: 'ada@acme.test',
          field_name: 'contact_owner',
          owner_assigned_at: 'Wed, 10 Jun 2026 12:00:00 +0000',
          assignment_id: 'entry of a',
          reason: 'round_robin',
        },
      },
    ]);
  });

  it('answers each record for itself, in the order given [4.6, contract 4]', async () => {
    dispatches.records.set('b', storedContact('b', {}, { archived_at: AT }));
    dispatches.records.set('deal', storedContact('deal', {}, { object_type: 'deals' }));
    test.refuses = ['c'];
    expect(await run(['unknown', 'c', 'b', 'a', 'deal'])).toEqual([
      404,
      'no_users_available',
      409,
      'ada@acme.test entry of a',
      400,
    ]);
    expect(decider.calls[0]?.records.map(({ id }) => id)).toEqual(['c', 'a']);
  });

  it('decides on the records that were read, and has no outcome for those behind them [contract 4]', async () => {
    dispatches.together = 2;
    expect(await run(['b', 'unknown', 'a'])).toEqual(['ada@acme.test entry of b', 404]);
    expect(database.events.slice(-2)).toEqual(['write R b', 'COMMIT']);
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
      await run(['a']);
      expect(dispatches.unread).toEqual([['notes']]);
    });

    it('reads all of them where a hook may [contract 4]', async () => {
      hooks.register({});
      configurations.current = configuredWith('1');
      await run(['a']);
      expect(dispatches.unread).toEqual([[]]);
    });

    it('reads again where the configuration has changed and may need them [contract 4]', async () => {
      configurations.current = configuredWith('1');
      await configurations.cache.use(ACME, () => Promise.resolve('cached'));
      configurations.current = configuredWith('2', { trigger: read });
      dispatches.version = '2';
      expect(await run(['a'])).toEqual(['ada@acme.test entry of a']);
      expect(dispatches.unread).toEqual([['notes'], []]);
      expect(decider.calls.map(({ snapshot }) => snapshot.version)).toEqual(['2']);
    });
  });

  it('writes nothing where no record can be decided on', async () => {
    expect(await run(['unknown'])).toEqual([404]);
    expect(database.events).toEqual(['BEGIN', 'try acme R', 'read R unknown', 'look for unknown', 'lock acme ada@acme.test', 'COMMIT']);
  }); // prettier-ignore

  it('knows no router that is unknown or archived [4.6]', async () => {
    await expect(run(['a'], 'S')).rejects.toMatchObject({ status: 404, message: 'Router not found' });
    expect(database.events).toEqual([]);
  });

  it('fails rather than to answer for a record that was not decided on', async () => {
    decider.decide = ({ id }) => (id === 'b' ? undefined : REFUSED);
    await expect(run(['a', 'b'])).rejects.toThrow('A record was decided on but has no result');
  });

  describe('of one router that waits', () => {
    it('waits for the router and the records [contract 4]', async () => {
      expect(await run(['b', 'unknown'], 'R', { waits: true })).toEqual(['ada@acme.test entry of b', 404]);
      expect(database.events.slice(1, 3)).toEqual(['lock acme R', 'lock and read R b,unknown']);
      expect(database.events).not.toContain('look for unknown');
    });
  });

  describe('where somebody else has locks', () => {
    it('leaves the router, to run alone [contract 4]', async () => {
      dispatches.held = ['R'];
      expect(await runAll({ R: ['a', 'b'] })).toEqual([[[], true]]);
      expect(database.events).not.toContain('look for a');
      expect(dispatches.commits).toEqual([]);
    });

    it('decides on the records before the first that is locked, and leaves the others [contract 4]', async () => {
      dispatches.held = ['b'];
      expect(await runAll({ R: ['unknown', 'a', 'b', 'c'] })).toEqual([
        [[404, 'ada@acme.test entry of a'], true],
      ]);
      expect(database.events).toContain('look for unknown,b');
    });
  });

  describe('when the configuration has changed meanwhile', () => {
    it('reads it under the lock and decides by the new one [contract 4]', async () => {
      await configurations.cache.use(ACME, () => Promise.resolve('cached'));
      configurations.current = configured('2', [routerOf('R', ['ada'], { name: 'Renamed' })]);
      dispatches.version = '2';
      expect(await run(['a'])).toEqual(['ada@acme.test entry of a']);
      expect(decider.calls.map(({ snapshot }) => [snapshot.version, snapshot.name])).toEqual([
        ['2', 'Renamed'],
      ]);
      expect(configurations.loads).toBe(2);
    });

    it('does not read it again where it has not', async () => {
      await run(['a']);
      await run(['b']);
      expect(configurations.loads).toBe(1);
      expect(database.events.filter((event) => event === 'BEGIN')).toHaveLength(2);
    });

    it('refuses by the type that the router has now [4.6]', async () => {
      await configurations.cache.use(ACME, () => Promise.resolve('cached'));
      configurations.current = configured('2', [routerOf('R', ['ada'], { objectType: 'deals' })]);
      dispatches.version = '2';
      expect(await run(['a'])).toEqual([400]);
    });

    it('begins again where the account was not found, and gives up where it is gone [5.3]', async () => {
      dispatches.version = undefined;
      configurations.current = configured('1');
      await configurations.cache.use(ACME, () => Promise.resolve('cached'));
      configurations.current = undefined;
      await expect(run(['a'])).rejects.toMatchObject({ status: 401 });
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
      await run(['a', 'b']);
      expect(database.events.slice(4)).toEqual([
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
      await run(['unknown']);
      expect(database.events).not.toContain('before unknown');
    });

    it('that refuses a lone record undoes it, and the refusal is its answer', async () => {
      hooks.register({ after: () => Promise.reject(conflict('Not today')) });
      expect(await runner.run(ACME, [{ routerId: 'R', objectIds: ['a'] }])).toEqual([
        { outcomes: [{ ok: false, error: conflict('Not today') }], alone: false },
      ]);
      expect(database.events.at(-1)).toBe('ROLLBACK');
    });

    it('that refuses one of several undoes all of them, for the queue to run each alone', async () => {
      hooks.register({ before: () => Promise.reject(conflict('Not today')) });
      await expect(run(['a', 'b'])).rejects.toBeInstanceOf(RefusedByHook);
      expect(database.events.at(-1)).toBe('ROLLBACK');
    });

    it('that fails is no refusal', async () => {
      const mistake = new TypeError('a mistake');
      hooks.register({ before: () => Promise.reject(mistake) });
      await expect(run(['a'])).rejects.toBe(mistake);
    });
  });
});
