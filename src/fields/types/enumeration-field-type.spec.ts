import type { FieldDefinition, FieldOption } from '../field-definition.js';
import { ENUMERATION } from './enumeration-field-type.js';

const type = ENUMERATION;

function field(...options: [internalName: string, label: string][]): FieldDefinition {
  const list: FieldOption[] = options.map(([internalName, label]) => ({ internalName, label }));
  return {
    objectType: 'deals',
    internalName: 'stage',
    label: 'Stage',
    type: 'enumeration',
    options: list,
    standard: true,
  };
}

const stage = field(['new', 'New deal'], ['in_progress', 'In progress'], ['won', 'Gewonnen Ä']);

describe('EnumerationFieldType', () => {
  it.each([
    ['new', 'new'],
    ['NEW', 'new'],
    ['new deal', 'new'],
    ['In Progress', 'in_progress'],
    ['in_progress', 'in_progress'],
    ['GEWONNEN ä', 'won'],
    ['gewonnen a\u0308', 'won'],
    [' new\u200b ', 'new'],
  ])('takes %j as %j', (value, stored) => {
    expect(type.parse(value, stage)).toEqual({ ok: true, value: stored });
  });

  it.each([
    ['lost'],
    ['n ew'],
    ['__proto__'],
    ['constructor'],
    ['toString'],
    [[]],
    [['new']],
    [{}],
    [undefined],
  ])('refuses %p and lists the allowed options', (value: unknown) => {
    const message = 'stage must be one of: new, in_progress, won';
    expect(type.parse(value, stage)).toEqual({ ok: false, message });
  });

  it('says that an option is a string where it is given a number or a boolean', () => {
    const numbered = field(['1', 'First'], ['true', 'Yes']);
    for (const value of [1, true, NaN])
      expect(type.parse(value, numbered)).toEqual({
        ok: false,
        message: 'stage must be one of: 1, true (a string)',
      });
  });

  it('lists as many options as a person reads, and the number of the others', () => {
    const options = Array.from({ length: 300 }, (_, n): [string, string] => [`option_${n}`, `Option ${n}`]);
    const result = type.parse('lost', field(...options));
    const message = result.ok ? '' : result.message;
    expect(message.length).toBeLessThan(1_100);
    expect(message).toMatch(/^stage must be one of: option_0, option_1, .*option_\d+ and \d+ more$/);
    const listed = message.match(/option_/g)?.length ?? 0;
    expect(message).toMatch(new RegExp(` and ${300 - listed} more$`));
  });

  it('names the unstorable character', () => {
    expect(type.parse('new\0', stage)).toEqual({
      ok: false,
      message: 'stage must not contain the NUL character (U+0000)',
    });
  });

  it('prefers an internal name over the label of an option before it', () => {
    expect(type.parse('LOW', field(['high', 'low'], ['low', 'high']))).toEqual({ ok: true, value: 'low' });
  });

  it('tells internal names apart that differ only in case', () => {
    const both = field(['a', 'first'], ['A', 'second']);
    expect(type.parse('A', both)).toEqual({ ok: true, value: 'A' });
    expect(type.parse('a', both)).toEqual({ ok: true, value: 'a' });
  });

  it('takes options named like members of Object', () => {
    const odd = field(['__proto__', 'Prototype'], ['constructor', 'Builder']);
    expect(type.parse('__PROTO__', odd)).toEqual({ ok: true, value: '__proto__' });
    expect(type.parse('builder', odd)).toEqual({ ok: true, value: 'constructor' });
  });

  it('sees new options in a new definition', () => {
    expect(type.parse('lost', stage).ok).toBe(false);
    expect(type.parse('lost', field(['new', 'New'], ['lost', 'Lost']))).toEqual({ ok: true, value: 'lost' });
  });

  it('says so when there are no options', () => {
    expect(type.parse('x', field())).toEqual({ ok: false, message: 'stage has no options yet' });
  });
});
