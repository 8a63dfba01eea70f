import fc from 'fast-check';
import type { FieldType } from '../../fields/types/field-type.js';
import { fields } from '../../../test/units/engine-fixtures.js';
import { equalsOneOf, FieldValue, orderRelativeTo } from './field-value.js';

const NAMES = ['first_name', 'lead_score', 'vip', 'signed_up', 'region', 'contact_owner'];

const valueOf = (name: string, stored: string) => new FieldValue(stored, fields('contacts', name));
const order = (name: string, left: string, right: string) =>
  orderRelativeTo(valueOf(name, right))(valueOf(name, left));
const equal = (name: string, value: string, ...operands: string[]) =>
  equalsOneOf(operands.map((operand) => valueOf(name, operand)))(valueOf(name, value));

describe('the order of values', () => {
  it.each([
    ['first_name', 'apple', 'Banana', -1],
    ['first_name', 'Banana', 'apple', 1],
    ['first_name', 'ADA', 'ada', 0],
    ['first_name', 'Cafe\u0301', 'CAF\u00c9', 0],
    ['first_name', '10', '9', -1],
    ['first_name', ' us\u00a0', 'US', 0],
    ['first_name', '\u00c5ngstr\u00f6m', 'm\u00fcller', -1],
    ['first_name', 'M\u00fcller', 'n', -1],
    ['first_name', '\u00d6berg', 'z', -1],
    ['lead_score', '9', '10', -1],
    ['lead_score', '10', '9', 1],
    ['lead_score', '1e+21', '999', 1],
    ['lead_score', '-2', '-1', -1],
    ['lead_score', '5', '5', 0],
    ['lead_score', '1.7976931348623157e+308', '-1.7976931348623157e+308', 1],
    // Values that another type stored.
    ['lead_score', 'abc', '5', 1],
    ['lead_score', 'abc', 'ABC', 0],
    ['lead_score', ' 5', '3', 1],
    ['lead_score', '3', ' 5', -1],
    ['lead_score', ' 5', '5', 0],
    ['lead_score', '9007199254740993', '9007199254740992', 1],
    ['lead_score', '0.1', '0.1000000000000000000001', -1],
    ['lead_score', '1E+21', '1e+21', 0],
    ['vip', 'false', 'true', -1],
    ['vip', 'true', 'false', 1],
    ['vip', 'true', 'true', 0],
    ['signed_up', '2026-03-01T00:00:00.000Z', '2026-03-01T00:00:00.001Z', -1],
    ['signed_up', '2026-03-01T00:00:00.000Z', '2026-03-01T01:00:00+01:00', 0],
    ['signed_up', '2026-03-02T00:00:00.000Z', '2026-03-01T00:00:00.000Z', 1],
    ['signed_up', 'soon', '2026-03-01T00:00:00.000Z', 1],
    ['region', 'a', 'B', -1],
    ['region', 'a', 'A', 0],
    ['contact_owner', 'ada@acme.test', 'bob@acme.test', -1],
  ])('of %s puts %j and %j as %j', (name, left, right, expected) => {
    expect(Math.sign(order(name, left, right))).toBe(expected);
    expect(equal(name, left, right)).toBe(expected === 0);
  });

  it.each(NAMES)('of %s is consistent', (name) => {
    const values = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'grapheme' }),
      fc.double().map(String),
      fc.constantFrom('true', 'false', '2026-01-01T00:00:00.000Z'),
    );
    fc.assert(
      fc.property(values, values, (left, right) => {
        expect(order(name, left, left)).toBe(0);
        expect(equal(name, left, left)).toBe(true);
        expect(Math.sign(order(name, left, right)) + Math.sign(order(name, right, left))).toBe(0);
      }),
    );
  });

  it('of numbers is exact, whatever their length [contract 3, contract 4]', () => {
    const units = fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n });
    // Numbers that are the same as doubles, or nearly so.
    const pairs = fc
      .tuple(units, fc.bigInt({ min: -3n, max: 3n }))
      .map(([a, near]) => [a, a + near] as const);
    const decimal = (value: bigint): string => {
      const digits = String(value < 0n ? -value : value).padStart(21, '0');
      return `${value < 0n ? '-' : ''}${digits.slice(0, -20)}.${digits.slice(-20)}`;
    };
    fc.assert(
      fc.property(pairs, ([a, b]) => {
        const [left, right] = [decimal(a), decimal(b)];
        const expected = a < b ? -1 : a > b ? 1 : 0;
        expect(Math.sign(order('lead_score', left, right))).toBe(expected);
        expect(equal('lead_score', left, 'abc', right)).toBe(expected === 0);
      }),
    );
  });

  it('of a field that is gone is that of text', () => {
    const [left, right] = ['10', '9'].map((stored) => new FieldValue(stored, undefined));
    expect(orderRelativeTo(right!)(left!)).toBe(-1);
  });
});

describe('a field type of others', () => {
  const minutes: Pick<FieldType, 'comparisonKey'> = {
    comparisonKey: (stored) => {
      const match = /^(\d+):(\d\d)$/.exec(stored);
      return match === null ? undefined : Number(match[1]) * 60 + Number(match[2]);
    },
  };
  const exact: Pick<FieldType, 'comparisonKey'> = { comparisonKey: (stored) => stored };
  const value = (type: Pick<FieldType, 'comparisonKey'>, stored: string) =>
    new FieldValue(stored, {
      ...fields('contacts', 'first_name')!,
      comparisonKey: (text) => type.comparisonKey?.(text),
    });

  it('is compared by its key', () => {
    expect(orderRelativeTo(value(minutes, '9:00'))(value(minutes, '10:00'))).toBe(1);
    expect(equalsOneOf([value(minutes, '1:00')])(value(minutes, '01:00'))).toBe(true);
    expect(equalsOneOf([value(exact, 'ABC')])(value(exact, 'ABC'))).toBe(true);
    expect(equalsOneOf([value(exact, 'ABC')])(value(exact, 'abc'))).toBe(false);
  });

  it('is compared as text without a key', () => {
    expect(orderRelativeTo(value({}, 'ABC'))(value({}, 'abd'))).toBe(1);
    expect(equalsOneOf([value({}, 'ABC')])(value({}, 'abc'))).toBe(true);
    expect(orderRelativeTo(value(minutes, 'noon'))(value(minutes, '9:00'))).toBe(-1);
  });
});
