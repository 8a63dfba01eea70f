import { isCount, isFlag, isText, listOf, matching, nullOr, objectOf, parseJson, wrongKey } from './shape.js';

describe('the shape of a value from a file', () => {
  it.each([
    [isText, ['', 'x'], [undefined, null, 1, 'a\0b', []]],
    [isCount, [0, 7], [-1, 0.5, '1', NaN, 2 ** 60, null]],
    [isFlag, [true, false], ['true', 0, null]],
    [matching(/^\d+$/), ['12'], ['1x', 12, null]],
    [nullOr(isText), [null, 'x'], [undefined, 1]],
    [listOf(isText), [[], ['a']], [{}, 'a', [1], ['a', null]]],
    [objectOf({ a: isText }), [{ a: '' }, { a: 'x', b: 1 }], [null, 'x', {}, { a: 1 }, [{ a: 'x' }]]],
  ])('%# is told', (shape, right, wrong) => {
    expect(right.map(shape)).toEqual(right.map(() => true));
    expect(wrong.map(shape)).toEqual(wrong.map(() => false));
  });

  it('names the first key that is wrong', () => {
    expect(wrongKey({ a: 'x', b: 'y' }, { a: isText, b: isCount, c: isText })).toBe('b');
    expect(wrongKey(null, { a: isText })).toBe('a');
    expect(wrongKey({ a: 'x' }, { a: isText })).toBeUndefined();
    expect(wrongKey({}, { toString: isText })).toBe('toString');
  });

  it('is undefined of what is no JSON', () => {
    expect(parseJson('{"a": 1}')).toEqual({ a: 1 });
    expect(parseJson('{"a"')).toBeUndefined();
  });
});
