import fc from 'fast-check';
import { readNumber, type DecimalMark } from './read-number.js';

/** A number, and a way in which people write it. */
const written = fc
  .record({
    mark: fc.constantFrom<DecimalMark>(',', '.'),
    whole: fc.bigInt({ min: 0n, max: 10n ** 20n }).map(String),
    fraction: fc.option(fc.stringMatching(/^\d{1,6}$/), { nil: undefined }),
    separator: fc.constantFrom('', 'other', ' ', '\u00a0', '\u202f', "'", '\u2019'),
    isIndian: fc.boolean(),
    sign: fc.constantFrom('', '+', '-', '\u2212', '()'),
    currency: fc.constantFrom('', '$', '\u20ac', 'EUR', 'CHF', 'US$', '\u20b9'),
    isBehind: fc.boolean(),
    padding: fc.constantFrom('', ' ', '\u00a0'),
  })
  .map(({ mark, whole, fraction, sign, currency, isBehind, padding, ...how }) => {
    const separator = how.separator === 'other' ? (mark === '.' ? ',' : '.') : how.separator;
    const groups = how.isIndian && separator === ',' ? /\B(?=(?:\d\d)*\d{3}$)/g : /\B(?=(?:\d{3})+$)/g;
    const digits = whole.replace(groups, separator) + (fraction === undefined ? '' : mark + fraction);
    const size = isBehind ? `${digits}${padding}${currency}` : `${currency}${padding}${digits}`;
    const text = sign === '()' ? `(${size})` : `${sign}${size}`;
    const isNegative = sign !== '' && sign !== '+';
    const number = `${isNegative ? '-' : ''}${whole}${fraction === undefined ? '' : `.${fraction}`}`;
    return { mark, text: `${padding}${text}${padding}`, number };
  });

describe('A number in a cell', () => {
  it('is the number that was written, in whatever dialect [contract 7]', () => {
    fc.assert(
      fc.property(written, ({ mark, text, number }) => expect(readNumber(text, mark)).toBe(number)),
      { numRuns: 3_000 },
    );
  });

  it.each<[string, DecimalMark, string]>([
    ['$12,400.00', '.', '12400.00'],
    ['EUR 1.230,99', ',', '1230.99'],
    ['1 000', '.', '1000'],
    ['1,23,456', '.', '123456'],
    ['(12.00)', '.', '-12.00'],
    ['$ (1,234.50)', '.', '-1234.50'],
    ['($12)', '.', '-12'],
    ['-$12', '.', '-12'],
    ['$-12', '.', '-12'],
    ['.5', '.', '0.5'],
    ['1.234', ',', '1234'],
    ['0,50', ',', '0.50'],
  ])('%s with %s is %s [contract 7]', (text, mark, number) => expect(readNumber(text, mark)).toBe(number));

  it.each<[string, DecimalMark]>([
    ...[
      '1,23',
      '12,34',
      '1,23,4',
      '0,123',
      '1,234,56',
      '1234,567',
      '1,234 567',
      '1 23 456',
      '123,45,678',
      '1.2.3',
      '5.',
    ].map((text) => [text, '.'] as [string, DecimalMark]),
    ...[
      '85%',
      '12 MIO',
      '12k',
      '1e5',
      '--5',
      '(-5)',
      '(5',
      '5)',
      '5-',
      '$5 EUR',
      'E5UR',
      'x',
      '',
      '-',
      '0x10',
      '1_000',
    ].map((text) => [text, '.'] as [string, DecimalMark]),
    ['1.23', ','],
    ['12,400.00', ','],
  ])('%s with %s is refused, as it may mean something else [contract 7]', (text, mark) =>
    expect(readNumber(text, mark)).toBeUndefined(),
  );
});
