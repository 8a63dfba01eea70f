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
import { storedContact } from '../../../test/units/stored-contact.js';
import { ACME } from '../../../test/units/decisions.js';
import type { FakeDispatches } from '../../../test/units/fake-dispatches.js';
import { TestRunner } from '../../../test/units/test-runner.js';
import { RefusedByHook, type AssignmentHooks } from './assignment-hooks.js';

const configured = (version: string, routers: readonly ReturnType<typeof routerOf>[]) =>
  configurationOf({ version, users: [user('ada')], routers });

let test: TestRunner;
let database: FakeDatabase;
let dispatches: FakeDispatches;
let configurations: FakeConfigurations;
let hooks: AssignmentHooks;

describe('DispatchRunner with several routers', () => {
  beforeEach(() => {
    const configuration = configured('1', [
      routerOf('R', ['ada']),
      routerOf('S', ['ada']),
      routerOf('Deals', ['ada'], { objectType: 'deals' }),
      routerOf('Other', ['ada'], { settings: stored({ ownerField: 'second_owner' }) }),
    ]);
    test = new TestRunner(configuration);
    ({ database, dispatches, configurations, hooks } = test);
  });

  it('locks, reads, decides and writes for all of them with the same statements [contract 4]', async () => {
    expect(await test.runAll({ S: ['b'], R: ['a', 'c'] })).toEqual([
      [['ada@acme.test entry of b'], false],
      [['ada@acme.test entry of a', 'ada@acme.test entry of c'], false],
    ]);
    expect(database.events).toEqual([
      'BEGIN',
      'try acme S,R',
      'read S,R b,a,c',
      'lock acme ada@acme.test',
      'write S b; R a,c',
      'COMMIT',
    ]);
  });

  it('serves those that are free, and leaves the others to run alone [contract 4]', async () => {
    dispatches.held = ['S'];
    expect(await test.runAll({ S: ['b'], R: ['a'] })).toEqual([
      [[], true],
      [['ada@acme.test entry of a'], false],
    ]);
    expect(database.events).toContain('write R a');
  });

  it('leaves the records of a router behind one that is locked, not those of others [contract 4]', async () => {
    dispatches.held = ['b'];
    expect(await test.runAll({ S: ['b', 'c'], R: ['a'] })).toEqual([
      [[], true],
      [['ada@acme.test entry of a'], false],
    ]);
  });

  it('leaves those that set another owner field to the next transaction [contract 4]', async () => {
    expect(await test.runAll({ R: ['a'], Deals: ['b'], Other: ['c'] })).toEqual([
      [['ada@acme.test entry of a'], false],
      [[], false],
      [[], false],
    ]);
    expect(database.events.slice(1, 3)).toEqual(['try acme R', 'read R a']);
  });

  it('leaves a router that is unknown to run alone, and then refuses it [4.6]', async () => {
    expect(await test.runAll({ Unknown: ['b'], R: ['a'] })).toEqual([
      [[], true],
      [['ada@acme.test entry of a'], false],
    ]);
    await expect(test.run(['b'], 'Unknown', { waits: true })).rejects.toMatchObject({ status: 404 });
  });

  it('leaves the records that are too large together, of the last routers [contract 4]', async () => {
    dispatches.together = 2;
    expect(await test.runAll({ S: ['b'], R: ['a', 'c'] })).toEqual([
      [['ada@acme.test entry of b'], false],
      [['ada@acme.test entry of a'], false],
    ]);
  });

  it('chooses the routers anew where the configuration has changed [contract 4]', async () => {
    await configurations.cache.use(ACME, () => Promise.resolve('cached'));
    configurations.current = configured('2', [
      routerOf('R', ['ada'], { objectType: 'deals' }),
      routerOf('S', ['ada']),
      routerOf('Deals', ['ada'], { objectType: 'deals' }),
    ]);
    dispatches.version = '2';
    dispatches.records.set('deal', storedContact('deal', {}, { object_type: 'deals' }));
    expect(await test.runAll({ R: ['a'], S: ['b'], Deals: ['deal'] })).toEqual([
      [[400], false],
      [[], false],
      [['ada@acme.test entry of deal'], false],
    ]);
    expect(database.events.slice(1, 5)).toEqual([
      'try acme R,S',
      'read R,S a,b',
      'try acme R,Deals',
      'read R,Deals a,deal',
    ]);
  });

  it('calls hooks on the assignments of all, and undoes all where one is refused', async () => {
    const told: string[] = [];
    hooks.register({
      before: (_, { router, record }) => Promise.resolve(void told.push(`before ${router.id} ${record.id}`)),
      after: (_, { router, record, assignmentId }) => {
        told.push(`after ${router.id} ${record.id} ${assignmentId}`);
        return record.id === 'c' ? Promise.reject(conflict('Not today')) : Promise.resolve();
      },
    });
    await test.runAll({ S: ['b'], R: ['a'] });
    const each = ['before S b', 'before R a', 'after S b entry of b', 'after R a entry of a'];
    expect(told).toEqual(each);
    await expect(test.runAll({ S: ['b'], R: ['c'] })).rejects.toBeInstanceOf(RefusedByHook);
    expect(database.events.at(-1)).toBe('ROLLBACK');
  });

  it('reads the long fields that one of them may need [contract 4]', async () => {
    const notes = { ...STANDARD[0]!, internalName: 'notes', long: true };
    const trigger = {
      groups: [{ conditions: [{ field: 'notes', operator: 'is_empty', value: undefined }] }],
    };
    configurations.current = configurationOf({
      users: [user('ada')],
      fields: [...STANDARD, notes, { ...notes, internalName: 'more' }],
      routers: [routerOf('R', ['ada']), routerOf('S', ['ada'], { settings: stored({ trigger }) })],
    });
    await test.runAll({ R: ['a'], S: ['b'] });
    expect(dispatches.unread).toEqual([['more']]);
  });
});
