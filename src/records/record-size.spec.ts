import { sizeProblem, WHOLE_BYTES, type LimitedChanges } from './record-size.js';

const DATE = '"contact_owner_assigned_date": "2026-01-01T00:00:00.000Z"';

const write = (
  changes: Readonly<Record<string, string | null>>,
  bytes: number,
  more: { readonly owners?: readonly string[]; readonly apart?: readonly string[] } = {},
): LimitedChanges => ({
  changes: new Map(Object.entries(changes)),
  owners: more.owners ?? [],
  limit: { bytes, apart: more.apart ?? [] },
});

/** The fields as PostgreSQL has them, and the same as an object. */
const texts: [string, Record<string, string>][] = [
  ['{"a": "1"}', { a: '1' }],
  ['{"a": "1", "b": "é世👋"}', { a: '1', b: 'é世👋' }],
  [String.raw`{"a": "\"\\/\b\f\n\r\t\u0001\u001f"}`, { a: '"\\/\b\f\n\r\t\u0001\u001f' }],
  ['{"a": "\u007f\u2028"}', { a: '\u007f\u2028' }],
];

describe('the size of a record', () => {
  it.each(texts)('is that of its JSON text: %s [contract 3]', (text, fields) => {
    const bytes = Buffer.byteLength(text);
    expect(sizeProblem({}, write(fields, bytes))).toBeUndefined();
    expect(sizeProblem({}, write(fields, bytes - 1))).toBeDefined();
  });

  it('has the fields that it keeps, not those that are replaced or cleared [contract 3]', () => {
    const before = { a: 'x'.repeat(50), b: 'x'.repeat(50), c: 'kept' };
    const bytes = Buffer.byteLength('{"b": "1", "c": "kept"}');
    expect(sizeProblem(before, write({ a: null, b: '1' }, bytes))).toBeUndefined();
    expect(sizeProblem({ c: 'kept' }, write({ b: '1' }, bytes - 1))?.field).toBe('b');
  });

  it('has the assigned dates of the owners that are set [2.5, contract 3]', () => {
    const changes = { contact_owner: 'ada@acme.test' };
    const bytes = Buffer.byteLength(`{"contact_owner": "ada@acme.test", ${DATE}}`);
    const owners = ['contact_owner'];
    expect(sizeProblem({}, write(changes, bytes, { owners }))).toBeUndefined();
    expect(sizeProblem({}, write(changes, bytes - 1, { owners }))?.field).toBe('contact_owner');
    expect(sizeProblem({ a: '1' }, write({ contact_owner: null }, 10, { owners }))).toBeUndefined();
  });

  it('leaves long fields out [contract 3]', () => {
    const more = { apart: ['notes'] };
    const long = 'x'.repeat(1000);
    expect(sizeProblem({}, write({ notes: long, a: '1' }, 10, more))).toBeUndefined();
    expect(sizeProblem({ notes: long }, write({ a: '1' }, 10, more))).toBeUndefined();
    expect(sizeProblem({}, write({ notes: long, a: '12' }, 10, more))?.field).toBe('a');
  });

  it('is bounded with its long fields where one of them is set [contract 3]', () => {
    const names = ['notes', 'story'];
    const before = { notes: 'x'.repeat(WHOLE_BYTES - '{"notes": "", "story": "12"}'.length), a: '' };
    const set = (story: string): LimitedChanges => write({ story, a: null }, 10, { apart: names });
    expect(sizeProblem(before, set('12'))).toBeUndefined();
    expect(sizeProblem(before, set('123'))).toEqual({
      field: 'story',
      message:
        'story would make the fields of this record larger than 7340032 bytes together, long fields included',
    });
    const large = { ...before, story: '1234' };
    expect(sizeProblem(large, write({ a: '1' }, 10, { apart: names }))).toBeUndefined();
    expect(sizeProblem(large, write({ notes: null }, 10, { apart: names }))).toBeUndefined();
    expect(sizeProblem(large, set('1234'))).toBeUndefined();
  });

  it('may be beyond the limit where it does not grow [contract 3]', () => {
    const before = { a: 'x'.repeat(50), b: '' };
    expect(sizeProblem(before, write({ a: 'y'.repeat(50) }, 10))).toBeUndefined();
    expect(sizeProblem(before, write({ a: 'y'.repeat(49) }, 10))).toBeUndefined();
    expect(sizeProblem(before, write({ a: 'y'.repeat(51) }, 10))).toBeDefined();
  });

  it('is blamed on the largest of the fields sent [contract 3]', () => {
    const before = { huge: 'x'.repeat(50) };
    expect(sizeProblem(before, write({ a: '1', b: '333', c: '22', d: null }, 10))).toEqual({
      field: 'b',
      message: 'b would make the fields of this record larger than 10 bytes together',
    });
  });
});
