import { FakeDatabase } from '../../database/testing/fake-database.js';
import { encodeRotationState, type RotationState } from '../../engine/index.js';
import { ACME } from '../testing/decisions.js';
import { RotationsRepository } from './rotations.repository.js';

const rotations = new RotationsRepository();
const state: RotationState = {
  seq: 2,
  ledgers: new Map([['users', new Map([['id-ada', { credit: -5n, last: 2 }]])]]),
};

describe('RotationsRepository', () => {
  it('reads rotations by key [contract 4]', async () => {
    const database = new FakeDatabase();
    const key = 'rule:Paris';
    database.answer('rotation_read', [{ key, state: encodeRotationState(state, key) }]);
    const read = await rotations.read(database.tx, ACME, { routerId: 'R', keys: [key, 'rule:Rome'] });
    expect(read).toEqual(new Map([[key, state]]));
    expect(database.sent).toEqual([{ name: 'rotation_read', values: ['acme', 'R', [key, 'rule:Rome']] }]);
  });

  it('asks nothing where no rotation is wanted', async () => {
    const database = new FakeDatabase();
    expect((await rotations.read(database.tx, ACME, { routerId: 'R', keys: [] })).size).toBe(0);
    expect(database.sent).toEqual([]);
  });

  it('replaces the state of one rotation', async () => {
    const database = new FakeDatabase();
    await rotations.replace(database.tx, ACME, { routerId: 'R', key: 'rule:Paris', state });
    const encoded = JSON.stringify(encodeRotationState(state, 'rule:Paris'));
    expect(database.sent).toEqual([
      { name: 'rotation_replace', values: ['acme', 'R', 'rule:Paris', encoded] },
    ]);
  });
});
