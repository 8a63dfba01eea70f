import fc from 'fast-check';
import { isLongerThan, textProblem } from './text-problem.js';

describe('textProblem', () => {
  it.each(['', 'plain', '\u0001\n\t', '😀', '\uFFFD\uFFFF', 'a\u0301'])('finds none in %j', (text) => {
    expect(textProblem(text)).toBeUndefined();
  });

  it.each([[5], [null], [['\0']]])('finds none in %p, which is no text', (value: unknown) => {
    expect(textProblem(value)).toBeUndefined();
  });

  it('names NUL', () => {
    expect(textProblem('a\0b')).toBe('must not contain the NUL character (U+0000)');
  });

  it.each(['\uD83D', 'a\uDE00', '\uDE00\uD83D', '😀\uD83D'])('names the unpaired surrogate in %j', (text) => {
    expect(textProblem(text)).toBe('must not contain unpaired surrogates (it is not valid Unicode text)');
  });

  it('finds none exactly where UTF-8 keeps the text and there is no NUL', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(0xffff), { maxLength: 5 }), (units) => {
        const text = String.fromCharCode(...units);
        const survives = Buffer.from(text).toString() === text && !units.includes(0);
        expect(textProblem(text) === undefined).toBe(survives);
      }),
    );
  });
});

describe('isLongerThan', () => {
  it('counts code points', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 20 }), fc.nat(20), (text, maximum) => {
        expect(isLongerThan(text, maximum)).toBe(Array.from(text).length > maximum);
      }),
    );
  });
});
