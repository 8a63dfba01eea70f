import fc from 'fast-check';
import { disarmed, rearmed } from './spreadsheet-cell.js';

const texts = fc.string({
  unit: fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\n', "'", '＝', 'a', '1', '.'),
  maxLength: 5,
});

describe('A cell for a spreadsheet [contract 7]', () => {
  it('does not begin as a formula does, and is read back as it was', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(disarmed(text)).not.toMatch(/^[=+@\t\r\n＝]|^-(?!\d+(\.\d+)?$)/);
        expect(rearmed(disarmed(text))).toBe(text);
      }),
      { numRuns: 1000 },
    );
  });

  it('has one apostrophe more where it would be a formula, and stays where it would not', () => {
    const changed = ['=1', "'=1", '+49 30', '-1+2', '-5\n'];
    expect(changed.map(disarmed)).toEqual(changed.map((text) => `'${text}`));
    const same = ['-5', '-0.25', "'tis", 'a=1', '', ' =1'];
    expect(same.map(disarmed)).toEqual(same);
    expect(same.map(rearmed)).toEqual(same);
  });
});
