import { FakeDatabase } from '../../../test/units/fake-database.js';
import { encodeRotationState, type RotationState } from '../../engine/index.js';
import { ACME } from '../../../test/units/decisions.js';
import { RotationsRepository } from './rotations.repository.js';

const rotations = new RotationsRepository();
const state: RotationState = {
  seq: 2,
  ledgers: new Map([['users', new Map([['id-ada', { credit: -5n, last: 2 }]])]]),
};

describe('RotationsRepository', () => {
  it('reads rotations of several routers by key [contract 4]', async () => {
    const database = new FakeDatabase();
    const key = 'rule:Paris';
    database.answer('rotation_read', [{ router_id: 'R', key, state: encodeRotationState(state, key) }]);
    const wanted = [
      { routerId: 'R', key },
      { routerId: 'S', key: 'rule:Rome' },
    ];
    expect(await rotations.read(database.tx, ACME, wanted)).toEqual([{ routerId: 'R', key, state }]);
    expect(database.sent).toEqual([
      { name: 'rotation_read', values: ['acme', ['R', 'S'], [key, 'rule:Rome']] },
    ]);
  });

  it('asks nothing where no rotation is wanted', async () => {
    const database = new FakeDatabase();
    expect(await rotations.read(database.tx, ACME, [])).toEqual([]);
    expect(database.sent).toEqual([]);
  });
});
