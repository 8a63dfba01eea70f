import fc from 'fast-check';
import { CREDIT_UNIT } from './credit.js';
import { decodeRotationState, encodeRotationState } from './rotation-codec.js';
import { EMPTY_ROTATION_STATE } from '../model/rotation-state.js';

const member = fc.record({
  credit: fc.bigInt(-2n * CREDIT_UNIT, 2n * CREDIT_UNIT),
  last: fc.nat(),
});
const key = fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', 'toString', '1'));
const map = <Value>(values: fc.Arbitrary<Value>) =>
  fc.array(fc.tuple(key, values), { maxLength: 8 }).map((entries) => new Map(entries));
const state = fc.record({ seq: fc.nat(), ledgers: map(map(member)) });

describe('the encoded rotation state', () => {
  it('loses nothing on its way through JSON', () => {
    fc.assert(
      fc.property(state, (original) => {
        const json: unknown = JSON.parse(JSON.stringify(encodeRotationState(original)));
        expect(decodeRotationState(json)).toEqual(original);
      }),
    );
  });

  it('is compact', () => {
    const ids = Array.from(
      { length: 50 },
      (_, index) => `0198c5d2-7a31-7c3e-9f60-${String(index).padStart(12, '0')}`,
    );
    const rotation = new Map(ids.map((id) => [id, { credit: -CREDIT_UNIT + 1n, last: 123_456 }]));
    const json = JSON.stringify(
      encodeRotationState({ seq: 123_456, ledgers: new Map([['users', rotation]]) }),
    );
    expect(json.length / 50).toBeLessThan(95);
  });

  it('is empty where nothing is stored yet', () => {
    expect(decodeRotationState(null)).toEqual(EMPTY_ROTATION_STATE);
    expect(decodeRotationState(undefined)).toEqual(EMPTY_ROTATION_STATE);
  });

  it.each([
    ['x'],
    [[]],
    [{}],
    [{ seq: -1, rotations: {} }],
    [{ seq: 1.5, rotations: {} }],
    [{ seq: 1 }],
    [{ seq: 1, rotations: { users: [] } }],
    [{ seq: 1, rotations: { users: { ada: ['0x1', 1] } } }],
    [{ seq: 1, rotations: { users: { ada: [1, 1] } } }],
    [{ seq: 1, rotations: { users: { ada: ['1', '1'] } } }],
    [{ seq: 1, rotations: { users: { ada: '1' } } }],
  ])('is nothing else: %j', (encoded) => {
    expect(() => decodeRotationState(encoded)).toThrow(TypeError);
  });
});
