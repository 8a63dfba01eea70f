import fc from 'fast-check';
import { canonicalText, compareCanonical } from './canonical-text.js';

const same = (left: string, right: string): boolean => canonicalText(left) === canonicalText(right);
const order = (left: string, right: string): number =>
  compareCanonical(canonicalText(left), canonicalText(right));

describe('the canonical form of a text', () => {
  it.each([
    ['case', 'US', 'us'],
    ['case beyond ASCII', 'ÅNGSTRÖM', 'ångström'],
    ['the case of ß', 'STRASSE', 'straße'],
    ['the case of ẞ', 'STRAẞE', 'strasse'],
    ['the last sigma of a word', 'ΟΔΥΣΣΕΥΣ', 'οδυσσευς'],
    ['the case of a ligature', 'OFFICE', 'o\ufb03ce'],
    ['the case of İ', 'İstanbul', 'i\u0307stanbul'],
    ['the case of ΐ', 'Ϊ\u0301', '\u0390'],
    ['white space', ' \t\nUS\r\n ', 'us'],
    ['no-break spaces', '\u00a0US\u202f', '\u2007us\ufeff'],
    ['wide spaces', '\u3000US\u2003', 'us'],
    ['composition', 'Cafe\u0301', 'CAFÉ'],
    ['the order of marks', 'a\u0323\u0301', 'a\u0301\u0323'],
    ['the Ångström and Kelvin signs', '\u212b\u212a', 'åk'],
  ])('has no regard to %s [contract 4]', (_, left, right) => expect(same(left, right)).toBe(true));

  it.each([
    ['accents', 'Muller', 'Müller'],
    ['white space inside', 'New York', 'New\u00a0York'],
    ['letters of other scripts', 'A', 'А'],
    ['characters without width', 'US', 'U\u200bS'],
  ])('has regard to %s', (_, left, right) => expect(same(left, right)).toBe(false));

  it('is that of itself, of its upper and lower case and of each composition [contract 4]', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.constantFrom('', ' ', '\u00a0\t'), (text, space) => {
        const canonical = canonicalText(text);
        for (const form of [
          canonical,
          `${space}${text}${space}`,
          text.normalize('NFD'),
          text.normalize('NFC'),
        ]) {
          expect(canonicalText(form)).toBe(canonical);
        }
        expect(canonicalText(canonical.toUpperCase())).toBe(canonical);
      }),
    );
  });

  it('is that of the small letter for every capital', () => {
    const others: string[] = [];
    for (let point = 0; point < 0x20000; point++) {
      if (point >= 0xd800 && point < 0xe000) continue;
      const letter = String.fromCodePoint(point);
      // ϴ is a sign of mathematics.
      if (!same(letter, letter.toLowerCase()) && letter !== 'ϴ') others.push(letter);
      if (canonicalText(canonicalText(letter)) !== canonicalText(letter)) others.push(letter);
    }
    expect(others).toEqual([]);
  });

  it('of very many marks is that of a text with breaks between them, and takes no quadratic time', () => {
    const marks = 'a' + '\u0301'.repeat(60_000) + '\u0323'.repeat(60_000);
    // Normalized as it is, this takes 20 seconds and more.
    expect(canonicalText(marks)).toContain('\u034f');
    expect(same(marks.toUpperCase(), marks)).toBe(true);
    const astral = '\u{1e8d0}'.repeat(200) + 'x'.repeat(100);
    expect(canonicalText(astral)).toContain('\u034f');
  });
});

describe('the order of canonical texts', () => {
  it.each([
    ['ångström', 'müller'],
    ['müller', 'n'],
    ['émile', 'zebra'],
    ['a b', 'ab'],
    ['9', 'a'],
    ['10', '9'],
    ['muller', 'müller'],
    ['müller', 'mulles'],
    ['z', 'а'],
    ['_', '1'],
  ])('is alphabetical: %j before %j [contract 4]', (first, second) => {
    expect(order(first, second)).toBeLessThan(0);
    expect(order(second, first)).toBeGreaterThan(0);
  });

  it('is that of the root collation, not of the language of a machine [contract 4]', () => {
    // Swedish puts ö behind z, Lithuanian y before k, and traditional Spanish ch behind cz.
    expect(['z', 'ö', 'o', 'y', 'k', 'cz', 'ch'].sort(order)).toEqual(['ch', 'cz', 'k', 'o', 'ö', 'y', 'z']);
  });

  it('is total, and zero only for equal texts [contract 4]', () => {
    const texts = fc.string({
      unit: fc.constantFrom('a', 'B', 'ä', 'ß', 's', '\u200b', '-', ' ', '\0', 'ｂ'),
    });
    fc.assert(
      fc.property(texts, texts, texts, (a, b, c) => {
        expect(Math.sign(order(a, b)) + Math.sign(order(b, a))).toBe(0);
        expect(order(a, b) === 0).toBe(same(a, b));
        if (order(a, b) <= 0 && order(b, c) <= 0) expect(order(a, c)).toBeLessThanOrEqual(0);
      }),
    );
  });
});
