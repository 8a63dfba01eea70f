import type { FieldDefinition } from '../field-definition.js';
import type { FieldEnvironment, NamedTarget } from './field-type.js';
import { REFERENCE } from './reference-field-type.js';

const type = REFERENCE;
const ID = '01a1fe1c-5be2-7aa0-8d0c-61ddf2f1a7d5';

const FIELD: FieldDefinition = {
  objectType: 'deals',
  internalName: 'payer',
  label: 'Payer',
  type: 'reference',
  options: [],
  standard: false,
  target: 'companies',
};
const NOBODY = { findUser: () => undefined };
const ACCEPTED = 'the id of an active company, or {"website_url": value} or {"external_id": value}';

/** Notes what is looked for, and finds what the test says. */
function finding(found: ReturnType<NonNullable<FieldEnvironment['findRecord']>>): {
  environment: FieldEnvironment;
  sought: NamedTarget[];
} {
  const sought: NamedTarget[] = [];
  const findRecord = (target: NamedTarget): typeof found => {
    sought.push(target);
    return found;
  };
  return { environment: { ...NOBODY, findRecord }, sought };
}

describe('a reference', () => {
  it.each([
    [ID.toUpperCase(), 'id', ID.toUpperCase()],
    ['no id', 'id', 'no id'],
    [{ website_url: 'https://x.example' }, 'website_url', 'https://x.example'],
    [{ external_id: 5 }, 'external_id', 5],
  ])('of %j looks for the record by %s, and is stored as its id [contract 7]', (sent, property, value) => {
    const { environment, sought } = finding({ ok: true, value: ID });
    expect(type.parse(sent, FIELD, environment)).toEqual({ ok: true, value: ID });
    expect(sought).toEqual([{ objectType: 'companies', property, value }]);
  });

  it('to a record that there is not is unknown [contract 7]', () => {
    const { environment } = finding(undefined);
    const message = `Unknown company: payer must be ${ACCEPTED}`;
    expect(type.parse(ID, FIELD, environment)).toEqual({ ok: false, message });
    expect(type.parse({ external_id: 'x' }, FIELD, environment)).toEqual({ ok: false, message });
  });

  it('says why a key is none [contract 7]', () => {
    const { environment } = finding({ ok: false, message: 'website_url must be a host' });
    const message = 'payer: website_url must be a host';
    expect(type.parse({ website_url: '!' }, FIELD, environment)).toEqual({ ok: false, message });
  });

  it.each([
    [5],
    [true],
    [[ID]],
    [{}],
    [{ website_url: 'a', external_id: 'b' }],
    [{ email: 'a@b.test' }],
    [{ id: ID }],
    [{ toString: 'x' }],
  ])('is not %j, and nothing is looked for [contract 7]', (sent) => {
    const { environment, sought } = finding({ ok: true, value: ID });
    const message = `payer must be ${ACCEPTED}`;
    expect(type.parse(sent, FIELD, environment)).toEqual({ ok: false, message });
    expect(sought).toEqual([]);
  });

  it('in a condition is any id, which is not looked for [contract 4, contract 7]', () => {
    expect(type.parse(ID.toUpperCase(), FIELD, NOBODY)).toEqual({ ok: true, value: ID });
    for (const other of ['acme.example', { external_id: 'x' }]) {
      const message = 'payer must be the id of a company here';
      expect(type.parse(other, FIELD, NOBODY)).toEqual({ ok: false, message });
    }
  });

  it('of a field that names no type takes nothing', () => {
    const message = 'payer must be empty, as it names no object type';
    const { target: _, ...field } = FIELD;
    expect(type.parse(ID, field, NOBODY)).toEqual({ ok: false, message });
  });
});
