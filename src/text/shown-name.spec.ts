import fc from 'fast-check';
import { shownName } from './shown-name.js';

describe('shownName', () => {
  it.each([
    ['lead_score', 'lead_score'],
    ['', ''],
    ['__proto__', '__proto__'],
    ['a\0b\n\u009F', 'a\uFFFDb\uFFFD\uFFFD'],
    ['\uD800x😀', '\uFFFDx😀'],
    ['x'.repeat(100), 'x'.repeat(100)],
    ['x'.repeat(101), `${'x'.repeat(99)}…`],
    ['😀'.repeat(100), '😀'.repeat(100)],
    ['😀'.repeat(100_000), `${'😀'.repeat(99)}…`],
  ])('shows %j', (name, shown) => {
    expect(shownName(name)).toBe(shown);
  });

  it('is short and survives UTF-8', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(0xffff), { maxLength: 300 }), (units) => {
        const shown = shownName(String.fromCharCode(...units));
        expect(Array.from(shown).length).toBeLessThanOrEqual(100);
        expect(Buffer.from(shown).toString()).toBe(shown);
      }),
    );
  });
});
