import { LongNumber } from '../../text/long-number.js';
import { STANDARD_FIELDS } from '../../fields/index.js';
import { Columns } from './columns.js';
import { readNdjson } from './read-ndjson.js';
import type { SourceRow } from './source-row.js';

const FIELDS = ['email', 'first_name', 'phone'];

const columns = new Columns({
  fields: STANDARD_FIELDS.contacts.filter(({ internalName }) => FIELDS.includes(internalName)),
  isManaged: (name) => ['id', 'created_at', 'archived'].includes(name),
  key: 'email',
  map: new Map([
    ['E-mail', 'email'],
    ['Notes', ''],
  ]),
});

async function* bytes(parts: readonly (string | Buffer)[]): AsyncGenerator<Buffer> {
  for (const part of parts) yield Promise.resolve(Buffer.from(part as string));
}

async function read(...parts: (string | Buffer)[]): Promise<SourceRow[]> {
  const rows: SourceRow[] = [];
  for await (const row of readNdjson(bytes(parts), columns).rows) rows.push(row);
  return rows;
}

const shown = (rows: readonly SourceRow[]): unknown[] =>
  rows.map((row) => ('problem' in row ? [row.line, row.problem] : [row.line, row.key, row.fields]));

describe('A file of JSON lines', () => {
  it('has an object of fields a line, flat or as in a body, whatever ends the lines [contract 7]', async () => {
    const rows = await read(
      '\uFEFF{"email": "a@x", "phone": nu',
      'll}\r\n\n{"fields": {"E-mail": "b@x", "Notes": 1, "phone": ""}, "_line": 7}\n',
      '{"id": "x", "created_at": "y", "archived": false, "phone": 12345678901234567890}',
    );
    expect(shown(rows)).toEqual([
      [1, 'a@x', { email: 'a@x', phone: null }],
      [3, 'b@x', { email: 'b@x', phone: '' }],
      [4, null, { phone: new LongNumber('12345678901234567890') }],
    ]);
  });

  it('has each line refused for itself [contract 7]', async () => {
    const rows = await read(
      '{"email": \n[1]\n{"email": "a@x", "frist_name": "A", "__proto__": {"phone": 1}}\n',
      Buffer.from('{"email": "M\xfcller"}\n', 'latin1'),
      `{"email": "${'x'.repeat(9_000_000)}"}\n`,
      '{"email": "a@x", "archived": "2026-01-01T00:00:00.000Z"}\n{"email": "b@x"}\n',
    );
    expect(shown(rows)).toEqual([
      [1, 'The line is not JSON'],
      [2, 'The line is not a JSON object'],
      [3, 'Unknown column: frist_name (did you mean first_name?); Unknown column: __proto__'],
      [4, 'The line has bytes that are not UTF-8'],
      [5, 'The line has more than 8388608 bytes'],
      [6, 'Archived records are not imported'],
      [7, 'b@x', { email: 'b@x' }],
    ]);
  });

  it('gives rejected lines back with line and reason at their end, so that the new ones count [contract 7]', () => {
    const { rejected } = readNdjson(bytes([]), columns);
    const again = (content: string | null): string =>
      rejected({ row: { line: 3, bytes: 1, content }, message: 'no "good"' }).toString();
    expect(again('{"a": 12345678901234567890, "_line": 1, "_error": "old"}')).toBe(
      '{"a": 12345678901234567890, "_line": 1, "_error": "old","_line":3,"_error":"no \\"good\\""}\n',
    );
    expect(again('{ }')).toBe('{"_line":3,"_error":"no \\"good\\""}\n');
    expect(JSON.parse(again('{"a'))).toEqual({ _line: 3, _error: 'no "good"', _text: '{"a' });
    expect(JSON.parse(again(null))).toEqual({ _line: 3, _error: 'no "good"' });
  });

  it('gives lines that are not UTF-8 back with the bytes that they have, so that they are refused again [contract 7]', async () => {
    const lines = ['{"email": "M\xfcller@x"}', ' {"first_name": "\xe9\xa0"', '{"email": "\xc3\xbc@x"} \xa0'];
    const refused = async (file: Buffer): Promise<Buffer> => {
      const { rows, rejected } = readNdjson(bytes([file]), columns);
      const bad: Buffer[] = [];
      for await (const row of rows) {
        const message = 'The line has bytes that are not UTF-8';
        expect(row).toMatchObject({ problem: message });
        bad.push(Buffer.from(rejected({ row, message }) as string));
      }
      expect(bad).toHaveLength(lines.length);
      return Buffer.concat(bad);
    };
    const bad = await refused(Buffer.from(lines.join('\n'), 'latin1'));
    expect(bad.toString('latin1')).toContain('{"email": "M\xfcller@x","_line":1,"_error":');
    expect(bad.toString('latin1')).toContain('"_text":"{\\"first_name\\": \\"\xe9\xa0\\""}\n');
    await refused(bad);
    const corrected = Buffer.from(bad.toString('latin1').split('\n')[0]!, 'utf8');
    expect(shown(await read(corrected))).toEqual([[1, 'M\xfcller@x', { email: 'M\xfcller@x' }]]);
  });
});
