import type { FieldDefinition } from '../field-definition.js';
import { MAX_KEY_LENGTH, MAX_LONG_TEXT_BYTES, MAX_TEXT_BYTES, STRING } from './string-field-type.js';

const type = STRING;

function field(internalName: string, standard = true): FieldDefinition {
  return { objectType: 'contacts', internalName, label: internalName, type: 'string', options: [], standard };
}

describe('StringFieldType', () => {
  it.each([
    ['first_name', 'Ada', 'Ada'],
    ['first_name', '  Ada ', '  Ada '],
    ['first_name', ' ', ' '],
    ['first_name', 'zażółć 😀', 'zażółć 😀'],
    ['first_name', 5, '5'],
    ['first_name', -0, '0'],
    ['first_name', 1.5e300, '1.5e+300'],
    ['first_name', true, 'true'],
    ['first_name', false, 'false'],
    ['external_id', ' A-1\u200b\r\n', 'A-1'],
    ['external_id', 'A\u200b 1', 'A\u200b 1'],
    ['email', 'a\u200bda@Exa\u0308mple.com', 'ada@exämple.com'],
    ['email', '  Ada@Example.COM ', 'ada@example.com'],
    ['email', 'not an e-mail', 'not an e-mail'],
    ['email', '   ', ''],
    ['email', 7, '7'],
    ['website_url', ' HTTPS://www.Example.com/x ', 'example.com'],
  ])('%s takes %j as %j', (name, value, stored) => {
    expect(type.parse(value, field(name))).toEqual({ ok: true, value: stored });
  });

  it.each([
    [{}],
    [[]],
    [['a']],
    [{ toString: 'x' }],
    [NaN],
    [Infinity],
    [undefined],
    [Symbol('x')],
    [() => 1],
    [1n],
  ])('refuses what is neither text, finite number nor boolean (%#)', (value: unknown) => {
    const message = 'first_name must be a string, a number or a boolean';
    expect(type.parse(value, field('first_name'))).toEqual({ ok: false, message });
  });

  it.each(['localhost', '   ', 'a@b.com', 12, true])('refuses %j as a website', (value) => {
    const message = 'website_url must be a web address or host name, such as example.com';
    expect(type.parse(value, field('website_url'))).toEqual({ ok: false, message });
  });

  it('treats custom fields named like standard ones as plain text', () => {
    for (const name of ['email', 'website_url']) {
      expect(type.parse(' A b ', field(name, false))).toEqual({ ok: true, value: ' A b ' });
      expect(type.parse('x'.repeat(1000), field(name, false)).ok).toBe(true);
    }
  });

  it.each([
    [false, MAX_TEXT_BYTES, 16_384],
    [true, MAX_LONG_TEXT_BYTES, 262_144],
  ])('limits the bytes in UTF-8 of a text, long: %j [contract 3]', (long, maximum, shown) => {
    const notes = { ...field('notes', false), long };
    for (const [character, bytes] of [['x', 1], ['é', 2], ['😀', 4]] as const) {
      const longest = character.repeat(maximum / bytes);
      expect(type.parse(longest, notes)).toEqual({ ok: true, value: longest });
      expect(type.parse(`${longest}x`, notes)).toEqual({
        ok: false,
        message: `notes must have at most ${shown} bytes in UTF-8`,
      });
    }
  }); // prettier-ignore

  it.each([
    ['email', true],
    ['external_id', true],
    ['external_id', false],
  ])('limits the key %s (standard: %j) in characters and bytes', (name, standard) => {
    const key = { ...field(name, standard), long: true };
    expect(type.parse('x'.repeat(MAX_KEY_LENGTH), key).ok).toBe(true);
    expect(type.parse('€'.repeat(MAX_KEY_LENGTH), key).ok).toBe(true);
    expect(type.parse('x'.repeat(MAX_KEY_LENGTH + 1), key)).toEqual({
      ok: false,
      message: `${name} must have at most 512 characters`,
    });
    expect(type.parse('😀'.repeat(500), key).ok).toBe(true);
    expect(type.parse('😀'.repeat(501), key)).toEqual({
      ok: false,
      message: `${name} must have at most 2000 bytes in UTF-8`,
    });
  });

  it('measures a key as it is stored', () => {
    expect(type.parse(`${' '.repeat(1000)}a@b.c`, field('email'))).toEqual({ ok: true, value: 'a@b.c' });
    expect(type.parse(`example.com/${'x'.repeat(1000)}`, field('website_url'))).toEqual({
      ok: true,
      value: 'example.com',
    });
    // Lower case may be longer: İ becomes i and a combining dot.
    expect(type.parse('İ'.repeat(MAX_KEY_LENGTH), field('email')).ok).toBe(false);
  });
});
