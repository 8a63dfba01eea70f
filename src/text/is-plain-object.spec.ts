import { isPlainObject } from './is-plain-object.js';

describe('a plain object', () => {
  it.each([
    ['of JSON', JSON.parse('{"__proto__": 1}')],
    ['that is empty', {}],
    ['without a prototype', Object.create(null)],
  ])('is one %s', (_, value) => expect(isPlainObject(value)).toBe(true));

  it.each([
    ['a list', []],
    ['null', null],
    ['undefined', undefined],
    ['a text', '{}'],
    ['a number', 1],
    ['a date', new Date()],
    ['a map', new Map()],
    ['a function', () => undefined],
  ])('is not %s', (_, value) => expect(isPlainObject(value)).toBe(false));
});
