import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FieldValue, type FieldDefinition, type FieldHandle } from 'fairlead';
import { COUNTRY_IS } from './country-is.js';
import { PhoneFieldType } from './phone-field-type.js';

const MOBILE: FieldDefinition = {
  objectType: 'contacts',
  internalName: 'mobile',
  label: 'Mobile',
  type: 'phone',
  options: [],
  standard: false,
};
const phone = new PhoneFieldType();
const parse = (value: unknown) => phone.parse(value, MOBILE);

describe('the field type phone', () => {
  for (const text of ['+44 20 7946 0958', '+442079460958', ' +44 (0)20-7946-0958 ', '+44.20.7946.0958']) {
    it(`stores ${text} as E.164`, () => {
      assert.deepEqual(parse(text), { ok: true, value: '+442079460958' });
    });
  }

  it('parses what it has stored to itself', () => {
    for (const stored of ['+442079460958', '+12025550123', '+390236618300', '+8613800138000']) {
      assert.deepEqual(parse(stored), { ok: true, value: stored });
    }
  });

  for (const value of [
    '020 7946 0958',
    '+44',
    '+44 20 7946 0958 ext. 5',
    'call +442079460958',
    'x',
    ' ',
    44,
    true,
    [],
  ]) {
    it(`refuses ${JSON.stringify(value)}, naming the field`, () => {
      const message = 'mobile must be a phone number with its country code, such as +44 20 7946 0958';
      assert.deepEqual(parse(value), { ok: false, message });
    });
  }
});

describe('the operator country_is', () => {
  const handle = (definition: FieldDefinition): FieldHandle => ({
    definition,
    parse: (value) => phone.parse(value, definition),
    comparisonKey: () => undefined,
  });
  const holds = (country: string, stored: string | undefined): boolean => {
    const compiled = COUNTRY_IS.compile(country, handle(MOBILE));
    assert.ok(compiled.ok);
    return compiled.test(stored === undefined ? undefined : new FieldValue(stored, handle(MOBILE)));
  };

  it('knows the country of a number', () => {
    assert.equal(holds('GB', '+442079460958'), true);
    assert.equal(holds('FR', '+442079460958'), false);
  });

  it('tells countries of one calling code apart', () => {
    assert.equal(holds('US', '+12025550123'), true);
    assert.equal(holds('CA', '+12025550123'), false);
    assert.equal(holds('CA', '+16135550123'), true);
  });

  it('does not hold without a number, or for what an earlier type of the field stored', () => {
    assert.equal(holds('GB', undefined), false);
    assert.equal(holds('GB', '+44 or so'), false);
  });

  it('refuses another operand, and fields of other types', () => {
    for (const value of [undefined, 'England', 'gb', 44, ['GB']]) {
      assert.deepEqual(COUNTRY_IS.compile(value, handle(MOBILE)), {
        ok: false,
        message: 'value must be a country of two letters, such as GB',
        blame: 'value',
      });
    }
    assert.deepEqual(COUNTRY_IS.compile('GB', handle({ ...MOBILE, type: 'string' })), {
      ok: false,
      message: 'country_is compares phone numbers, but mobile is of type string',
      blame: 'operator',
    });
  });
});
