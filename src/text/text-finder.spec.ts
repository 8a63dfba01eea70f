import fc from 'fast-check';
import { textFinder } from './text-finder.js';

describe('the search for a part of a text', () => {
  const part = (text: string): string => text.repeat(Math.ceil(251 / text.length));

  it('finds what includes finds, also of long parts', () => {
    const unit = fc.constantFrom('a', 'b', '\u{1f600}', 'é');
    const texts = fc.string({ unit, maxLength: 60 });
    fc.assert(
      fc.property(fc.string({ unit, minLength: 1, maxLength: 6 }), texts, texts, (piece, before, after) => {
        const sought = part(piece);
        for (const text of [before + sought + after, before + sought.slice(1) + after, sought, before]) {
          expect(textFinder(sought)(text)).toBe(text.includes(sought));
          expect(textFinder(piece)(text)).toBe(text.includes(piece));
        }
      }),
    );
  });

  it('needs no more steps than there are characters, where V8 needs their product', () => {
    const half = 'a'.repeat(120_000);
    // With `includes` this takes several seconds.
    expect(textFinder(`${half}b${half}`)('a'.repeat(500_000))).toBe(false);
  });
});
