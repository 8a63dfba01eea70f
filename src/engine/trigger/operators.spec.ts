import { fields } from '../../../test/units/engine-fixtures.js';
import { BUILTIN_OPERATORS } from './operators.js';
import { FieldValue } from './field-value.js';

const operator = (id: string) => BUILTIN_OPERATORS.find((each) => each.id === id)!;
const field = (name: string) => fields('contacts', name)!;

function holds(id: string, name: string, operand: unknown, value: string | undefined): boolean {
  const compiled = operator(id).compile(operand, field(name));
  if (!compiled.ok) throw new Error(compiled.message);
  return compiled.test(value === undefined ? undefined : new FieldValue(value, field(name)));
}
const refusal = (id: string, name: string, operand: unknown) => operator(id).compile(operand, field(name));

describe('the built-in operators', () => {
  it('are those of contract section 4', () => {
    expect(BUILTIN_OPERATORS.map(({ id }) => id).join(', ')).toBe(
      'eq, neq, in, not_in, contains, not_contains, starts_with, ends_with, gt, gte, lt, lte, between, is_empty, is_not_empty',
    );
  });

  it.each([
    // operator, field, operand, stored value, holds
    ['eq', 'first_name', 'ADA', 'Ada', true],
    ['eq', 'first_name', 'Caf\u00e9', 'CAFE\u0301', true],
    ['eq', 'first_name', 5, '5', true],
    ['eq', 'first_name', 'Ada', 'Adam', false],
    ['eq', 'email', ' ADA@acme.test ', 'ada@acme.test', true],
    ['eq', 'website_url', 'https://www.Acme.test/x', 'acme.test', true],
    ['eq', 'lead_score', 10, '10', true],
    ['eq', 'lead_score', '10', '10', true],
    ['eq', 'vip', true, 'true', true],
    ['eq', 'vip', 'false', 'true', false],
    ['eq', 'signed_up', '2026-01-01', '2026-01-01T00:00:00.000Z', true],
    ['eq', 'signed_up', '2026-01-01T02:00:00+02:00', '2026-01-01T00:00:00.000Z', true],
    ['eq', 'region', 'The EMEA', 'emea', true],
    ['eq', 'contact_owner', 'ADA@acme.test', 'ada@acme.test', true],
    ['neq', 'first_name', 'ada', 'Ada', false],
    ['neq', 'first_name', 'ada', 'Bob', true],
    ['in', 'first_name', ['bob', 'ada'], 'ADA', true],
    ['in', 'first_name', ['bob', 'ada'], 'Eve', false],
    ['in', 'lead_score', [1, 2], '2', true],
    ['not_in', 'region', ['emea'], 'apac', true],
    ['not_in', 'region', ['emea', 'The apac'], 'apac', false],
    ['contains', 'first_name', 'DA', 'Ada', true],
    ['contains', 'email', '@acme', 'ada@acme.test', true],
    ['contains', 'website_url', 'acme', 'acme.test', true],
    ['contains', 'contact_owner', '@ACME', 'ada@acme.test', true],
    ['contains', 'region', 'me', 'emea', true],
    ['contains', 'first_name', '.*', 'Ada', false],
    ['not_contains', 'first_name', 'x', 'Ada', true],
    ['not_contains', 'first_name', 'a', 'Ada', false],
    ['starts_with', 'first_name', 'a', 'Ada', true],
    ['starts_with', 'first_name', 'd', 'Ada', false],
    ['ends_with', 'email', '.TEST', 'ada@acme.test', true],
    ['ends_with', 'email', 'acme', 'ada@acme.test', false],
    ['gt', 'lead_score', 9, '10', true],
    ['gt', 'lead_score', 10, '10', false],
    ['gte', 'lead_score', 10, '10', true],
    ['lt', 'lead_score', 10, '9', true],
    ['lt', 'lead_score', -1, '-10', true],
    ['lte', 'lead_score', 9.5, '10', false],
    ['gt', 'signed_up', '2026-01-01', '2026-01-01T00:00:00.001Z', true],
    ['lt', 'create_date', '2026-01-01', '2025-12-31T23:59:59.999Z', true],
    ['gt', 'first_name', 'b', 'Carol', true],
    ['gt', 'first_name', 'B', 'aaron', false],
    ['between', 'lead_score', [9, 10], '9', true],
    ['between', 'lead_score', [9, 10], '10', true],
    ['between', 'lead_score', [9, 10], '10.1', false],
    ['between', 'lead_score', [5, 5], '5', true],
    ['between', 'lead_score', ['0.1', '0.30'], '0.3', true],
    ['eq', 'lead_score', '10.0', '10', true],
    ['eq', 'lead_score', '9007199254740993', '9007199254740992', false],
    ['gt', 'lead_score', '9007199254740992', '9007199254740993', true],
    ['lte', 'lead_score', '0.1', '0.1000000000000000000001', false],
    ['eq', 'first_name', 'US', ' us\u00a0', true],
    ['eq', 'first_name', '\u202fUS\ufeff', 'us', true],
    ['in', 'first_name', ['DE', ' us '], '\u00a0US', true],
    ['eq', 'first_name', 'STRASSE', 'stra\u00dfe', true],
    [
      'eq',
      'first_name',
      '\u039f\u0394\u03a5\u03a3\u03a3\u0395\u03a5\u03a3',
      '\u03bf\u03b4\u03c5\u03c3\u03c3\u03b5\u03c5\u03c2',
      true,
    ],
    ['starts_with', 'first_name', '\u039c\u039f\u03a5\u03a3', '\u03bc\u03bf\u03c5\u03c3\u03b1', true],
    ['starts_with', 'first_name', ' U', '\u00a0us', true],
    ['ends_with', 'first_name', 'S ', 'us\u00a0', true],
    ['contains', 'first_name', ' os\u0065\u0301 ', 'Jos\u00e9', true],
    ['contains', 'first_name', 'jose', 'Jos\u00e9', false],
    ['gte', 'first_name', 'A', '\u00c5ngstr\u00f6m', true],
    ['lt', 'first_name', 'N', '\u00c5ngstr\u00f6m', true],
    ['between', 'first_name', ['A', 'N'], 'M\u00fcller', true],
    ['between', 'first_name', ['A', 'N'], '\u00d6berg', false],
    ['between', 'first_name', ['94000', '94999'], ' 94107-1234', true],
    ['lt', 'first_name', 'Zebra', '\u00c9mile', true],
    ['between', 'signed_up', ['2026-01-01', '2026-02-01'], '2026-01-15T10:00:00.000Z', true],
    ['is_empty', 'first_name', undefined, 'Ada', false],
    ['is_not_empty', 'first_name', null, 'Ada', true],
  ])('%s on %s with %j of %j: %s', (id, name, operand, value, expected) => {
    expect(holds(id, name, operand, value)).toBe(expected);
  });

  it.each([
    ['eq', 'x', false],
    ['neq', 'x', true],
    ['in', ['x'], false],
    ['not_in', ['x'], true],
    ['contains', 'x', false],
    ['not_contains', 'x', true],
    ['starts_with', 'x', false],
    ['ends_with', 'x', false],
    ['gt', 'x', false],
    ['gte', 'x', false],
    ['lt', 'x', false],
    ['lte', 'x', false],
    ['between', ['a', 'z'], false],
    ['is_empty', '', true],
    ['is_not_empty', undefined, false],
  ])('%s with %j of a missing value: %s', (id, operand, expected) => {
    expect(holds(id, 'first_name', operand, undefined)).toBe(expected);
  });

  it.each([
    ['eq', 'first_name', undefined, /must be a string, a finite number or a boolean/],
    ['eq', 'first_name', null, /must not be blank: is_empty/],
    ['eq', 'first_name', '', /must not be blank: is_empty/],
    ['eq', 'first_name', ['Ada'], /must be a string/],
    ['eq', 'first_name', {}, /must be a string/],
    ['eq', 'email', '  ', /must not be blank/],
    ['eq', 'lead_score', 'ten', /lead_score must be a finite number/],
    ['eq', 'lead_score', NaN, /finite/],
    ['gt', 'lead_score', Infinity, /finite/],
    ['eq', 'region', 'mars', /must be one of: emea, apac/],
    ['neq', 'contact_owner', 'eve@acme.test', /not a user/],
    ['in', 'first_name', 'Ada', /list of at least one/],
    ['in', 'first_name', [], /list of at least one/],
    ['not_in', 'lead_score', [1, 'x'], /^value\[1\]: lead_score/],
    ['contains', 'first_name', '', /not blank/],
    ['ends_with', 'first_name', ' \u00a0', /not blank/],
    ['contains', 'first_name', 5, /must be a string/],
    ['starts_with', 'first_name', null, /must be a string/],
    ['between', 'lead_score', [1], /two values/],
    ['between', 'lead_score', [1, 2, 3], /two values/],
    ['between', 'lead_score', { low: 1, high: 2 }, /two values/],
    ['between', 'lead_score', [10, 9], /must not be above/],
    ['between', 'lead_score', [1, 'x'], /^value\[1\]/],
    ['is_empty', 'first_name', true, /takes none/],
    ['is_not_empty', 'first_name', 'x', /takes none/],
  ])('%s on %s refuses %j', (id, name, operand, message) => {
    expect(refusal(id, name, operand)).toMatchObject({
      ok: false,
      blame: 'value',
      message: expect.stringMatching(message),
    });
  });

  it.each(['contains', 'not_contains', 'starts_with', 'ends_with'])('%s is for text only', (id) => {
    for (const name of ['lead_score', 'vip', 'signed_up']) {
      expect(refusal(id, name, '1')).toMatchObject({ ok: false, blame: 'operator' });
    }
  });
});
