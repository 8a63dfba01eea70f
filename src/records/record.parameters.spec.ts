import { Failures } from '../errors/errors.js';
import { recordBody } from './record.parameters.js';

/** Returns the fields and messages with which a body is refused. */
function refusal(body: unknown): (string | undefined)[][] {
  const failures = new Failures();
  expect(recordBody(body, failures)).toBeUndefined();
  return (failures.toError()?.details.errors ?? []).map(({ field, message }) => [field, message]);
}

describe('the body of a write', () => {
  it.each([{ fields: {} }, { fields: { email: null } }, { fields: 'x' }, { fields: [] }, { fields: null }])(
    'hands on what stands under fields: %j [2.4]',
    (body) => {
      const failures = new Failures();
      expect(recordBody(body, failures)).toBe(body.fields);
      expect(failures.any).toBe(false);
    },
  );

  it.each([undefined, null, [], [{ fields: {} }], '{}', 7, true])('is refused as %j [2.4]', (body) => {
    expect(refusal(body)).toEqual([[undefined, 'The body must be a JSON object with the key fields']]);
  });

  it('is refused without fields, an inherited one included [2.4]', () => {
    expect(refusal({})).toEqual([['fields', 'fields is required']]);
    expect(refusal(Object.create({ fields: {} }))).toEqual([['fields', 'fields is required']]);
  });

  it('is refused with every unknown key at once [contract 1]', () => {
    const body: unknown = JSON.parse('{"email": "a", "__proto__": 1, "constructor": 2}');
    expect(refusal(body)).toEqual([
      ['email', 'Unknown key: email (allowed: fields)'],
      ['__proto__', 'Unknown key: __proto__ (allowed: fields)'],
      ['constructor', 'Unknown key: constructor (allowed: fields)'],
      ['fields', 'fields is required'],
    ]);
  });

  it('hands on the fields beside unknown keys, whose values may fail too [contract 1]', () => {
    const failures = new Failures();
    expect(recordBody({ fields: { foo: 1 }, bar: 1 }, failures)).toEqual({ foo: 1 });
    expect(failures.toError()?.details).toMatchObject({ field: 'bar' });
  });
});
