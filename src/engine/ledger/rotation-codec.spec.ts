import fc from 'fast-check';
import { CREDIT_UNIT } from './credit.js';
import { decodeRotationState, encodeRotationState } from './rotation-codec.js';
import { rotationKeyOfRule, EMPTY_ROTATION_STATE } from '../model/rotation.js';

const member = fc.record({
  credit: fc.bigInt(-2n * CREDIT_UNIT, 2n * CREDIT_UNIT),
  last: fc.nat(),
});
const key = fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', 'toString', '1'));
const map = <Value>(values: fc.Arbitrary<Value>) =>
  fc.array(fc.tuple(key, values), { maxLength: 8 }).map((entries) => new Map(entries));
const rotationKeys = fc.oneof(
  fc.constant(''),
  fc.string().map((name) => rotationKeyOfRule({ name })),
);
const state = fc.record({ seq: fc.nat(), ledgers: map(map(member)) });

describe('the encoded rotation state', () => {
  it('loses nothing on its way through JSON', () => {
    fc.assert(
      fc.property(state, rotationKeys, (original, rotationKey) => {
        const json: unknown = JSON.parse(JSON.stringify(encodeRotationState(original, rotationKey)));
        expect(decodeRotationState(json, rotationKey)).toEqual(original);
      }),
    );
  });

  it('keeps the names under which the ledgers of rules are stored', () => {
    const ledger = new Map([['ada', { credit: -255n, last: 3 }]]);
    const rotation = { seq: 3, ledgers: new Map([['users', ledger]]) };
    const stored = { seq: 3, rotations: { 'rule:EMEA\nusers': { ada: ['-ff', 3] } } };
    expect(encodeRotationState(rotation, 'rule:EMEA')).toEqual(stored);
    expect(decodeRotationState(stored, 'rule:EMEA')).toEqual(rotation);
    expect(encodeRotationState(rotation, '')).toEqual({ seq: 3, rotations: { users: { ada: ['-ff', 3] } } });
    for (const key of ['rule:APAC', 'rule:EME', 'rule:EMEA\nusers']) {
      expect(() => decodeRotationState(stored, key)).toThrow(TypeError);
    }
  });

  it('is compact', () => {
    const ids = Array.from(
      { length: 50 },
      (_, index) => `0198c5d2-7a31-7c3e-9f60-${String(index).padStart(12, '0')}`,
    );
    const rotation = new Map(ids.map((id) => [id, { credit: -CREDIT_UNIT + 1n, last: 123_456 }]));
    const json = JSON.stringify(
      encodeRotationState({ seq: 123_456, ledgers: new Map([['users', rotation]]) }, ''),
    );
    expect(json.length / 50).toBeLessThan(95);
  });

  it('is empty where nothing is stored yet', () => {
    expect(decodeRotationState(null, '')).toEqual(EMPTY_ROTATION_STATE);
    expect(decodeRotationState(undefined, 'rule:A')).toEqual(EMPTY_ROTATION_STATE);
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
    expect(() => decodeRotationState(encoded, '')).toThrow(TypeError);
  });
});
