import type { FieldDefinition } from '../field-definition.js';
import type { FieldEnvironment } from './field-type.js';
import { USER } from './built-in-field-types.js';

const type = USER;
const field: FieldDefinition = {
  objectType: 'deals',
  internalName: 'deal_owner',
  label: 'Deal owner',
  type: 'user',
  options: [],
  standard: true,
};
const ID = '0198c0de-0000-7000-8000-00000000abcd';
const ada = { email: 'ada@acme.test' };
const users = new Map([
  [ID, ada],
  [ada.email, ada],
]);
const environment: FieldEnvironment = { findUser: (idOrEmail) => users.get(idOrEmail) };

describe('UserFieldType', () => {
  it.each([ID, ID.toUpperCase(), 'ada@acme.test', 'Ada@ACME.test', ' ada@acme.test '])(
    'takes %j',
    (value) => {
      expect(type.parse(value, field, environment)).toEqual({ ok: true, value: 'ada@acme.test' });
    },
  );

  it.each(['bob@acme.test', ' ', '__proto__', 'Ada Lovelace'])('refuses %j', (value) => {
    const message = 'deal_owner is not a user of the account (send an id or e-mail)';
    expect(type.parse(value, field, environment)).toEqual({ ok: false, message });
  });

  it.each([[5], [true], [[]], [{}], [undefined]])('refuses %p', (value: unknown) => {
    const message = 'deal_owner must be the id or e-mail of a user';
    expect(type.parse(value, field, environment)).toEqual({ ok: false, message });
  });

  it('never looks up text that the database cannot hold', () => {
    const findUser = jest.fn();
    expect(type.parse('ada@acme.test\0', field, { findUser })).toEqual({
      ok: false,
      message: 'deal_owner must not contain the NUL character (U+0000)',
    });
    expect(type.parse('\uD800', field, { findUser }).ok).toBe(false);
    expect(findUser).not.toHaveBeenCalled();
  });
});
