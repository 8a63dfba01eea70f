import fc from 'fast-check';
import { decimalKey, decimalOf, shortestDecimal } from './decimal.js';

/** Decimals of many lengths, also such as differ in the last of many digits only. */
const digits = (minLength: number, maxLength: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom('0', '0', '1', '5', '9'), minLength, maxLength });
const decimals = fc
  .tuple(fc.constantFrom('', '-', '+'), digits(1, 30), fc.option(digits(1, 30)))
  .map(([sign, whole, fraction]) => sign + whole + (fraction === null ? '' : `.${fraction}`));

/** The decimal times ten to the power of 30, exactly. */
function scaled(text: string): bigint {
  const [whole = '', fraction = ''] = text.replace(/^[+-]/, '').split('.');
  const size = BigInt(whole + fraction.padEnd(30, '0'));
  return text.startsWith('-') ? -size : size;
}

describe('the shortest form of a decimal', () => {
  it.each([
    ['12.50', '12.5'],
    ['1200.00', '1200'],
    ['-0', '0'],
    ['-0.000', '0'],
    ['+7', '7'],
    ['007.10', '7.1'],
    ['-00.50', '-0.5'],
    ['1000000000000000000000', '1000000000000000000000'],
    ['0.10000000000000000000000000000001', '0.10000000000000000000000000000001'],
  ])('of %s is %s [contract 3]', (text, shortest) => expect(shortestDecimal(text)).toBe(shortest));

  it.each(['', '-', '.5', '5.', '1e5', '1E5', ' 5', '5 ', '0x10', '1,5', '1_000', '٣', '--5', '+-5', '5\n', 'NaN'])(
    'of %j is none [contract 3]',
    (text) => expect(shortestDecimal(text)).toBeUndefined(),
  ); // prettier-ignore

  it('has the same value, no digit too many, and is its own [contract 3]', () => {
    fc.assert(
      fc.property(decimals, (text) => {
        const shortest = shortestDecimal(text) ?? '';
        expect(scaled(shortest)).toBe(scaled(text));
        expect(shortest).toMatch(/^(0|-?(0|[1-9]\d*)(\.\d*[1-9])?)$/);
        expect(shortest).not.toBe('-0');
        expect(shortestDecimal(shortest)).toBe(shortest);
      }),
    );
  });

  it('takes time in proportion to the digits', () => {
    const zeros = '0'.repeat(200_000);
    expect(shortestDecimal(`${zeros}1.${zeros}1${zeros}`)).toBe(`1.${zeros}1`);
  });
});

describe('the decimal of a number', () => {
  it.each([
    [0, '0'],
    [-0, '0'],
    [1e21, '1000000000000000000000'],
    [-1.5e22, '-15000000000000000000000'],
    [1e-7, '0.0000001'],
    [-1.25e-9, '-0.00000000125'],
    [123456.789, '123456.789'],
  ])('%d is %s [contract 3]', (number, decimal) => expect(decimalOf(number)).toBe(decimal));

  it('is in its shortest form, and that of no other number [contract 3]', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        const decimal = decimalOf(number);
        expect(shortestDecimal(decimal)).toBe(decimal);
        expect(Number(decimal)).toBe(number + 0);
      }),
    );
  });
});

describe('the key of a decimal', () => {
  it('orders decimals as their sizes do, exactly [contract 3, contract 4]', () => {
    fc.assert(
      fc.property(decimals, decimals, (left, right) => {
        const [a, b] = [left, right].map((text) => decimalKey(shortestDecimal(text) ?? '')) as [
          string,
          string,
        ];
        const [x, y] = [scaled(left), scaled(right)];
        expect([a < b, a === b]).toEqual([x < y, x === y]);
      }),
    );
  });

  it('tells apart what doubles do not, whatever the length', () => {
    const long = '9'.repeat(16_384);
    const sorted = [`-${long}`, '-1.01', '-1', '-0.1', '0', `0.${'0'.repeat(16_000)}1`, '0.1', '9007199254740992', '9007199254740993', long]; // prettier-ignore
    expect([...sorted].reverse().sort((a, b) => (decimalKey(a) < decimalKey(b) ? -1 : 1))).toEqual(sorted);
  });
});
