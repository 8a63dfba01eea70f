import { STANDARD_FIELDS } from '../../fields/index.js';
import { Columns } from './columns.js';
import { readCsv } from './read-csv.js';
import type { RowSource, SourceRow } from './source-row.js';

const FIELDS = ['email', 'first_name', 'phone'];

const columns = (map: readonly (readonly [string, string])[] = [], key = 'email'): Columns =>
  new Columns({
    fields: STANDARD_FIELDS.contacts.filter(({ internalName }) => FIELDS.includes(internalName)),
    isManaged: (name) => ['id', 'created_at', 'updated_at', 'archived'].includes(name),
    key,
    map: new Map(map),
  });

/** Bytes in parts of a size. */
async function* bytes(text: string | Buffer): AsyncGenerator<Buffer> {
  const whole = Buffer.from(text as string);
  const size = whole.length > 1000 ? 65_536 : 7;
  for (let start = 0; start < whole.length; start += size) {
    yield whole.subarray(start, start + size);
    await Promise.resolve();
  }
}

async function read(
  text: string | Buffer,
  { clearEmpty = false, map = [] as [string, string][], key = 'email' } = {},
): Promise<{ source: RowSource; rows: SourceRow[] }> {
  const source = await readCsv(bytes(text), { columns: columns(map, key), clearEmpty });
  const rows: SourceRow[] = [];
  for await (const row of source.rows) rows.push(row);
  return { source, rows };
}

/** Lines, keys and fields, or problems, of the rows. */
const shown = (rows: readonly SourceRow[]): unknown[] =>
  rows.map((row) => ('problem' in row ? [row.line, row.problem] : [row.line, row.key, row.fields]));

describe('A CSV file', () => {
  it.each([
    ['with commas and \\n', 'email,first_name\na@x,Ada\nb@x,Bob\n'],
    ['with a byte order mark, semicolons and \\r\\n', '\uFEFFemail;first_name\r\na@x;Ada\r\nb@x;Bob\r\n'],
    ['with tabs, \\r and no last line break', 'email\tfirst_name\ra@x\tAda\rb@x\tBob'],
    ['with quotes and spaces around headings', '"email", first_name \n"a@x","Ada"\n"b@x",Bob\n'],
  ])('is read %s [contract 7]', async (_, text) => {
    const { rows } = await read(text);
    expect(shown(rows)).toEqual([
      [2, 'a@x', { email: 'a@x', first_name: 'Ada' }],
      [3, 'b@x', { email: 'b@x', first_name: 'Bob' }],
    ]);
  });

  it('counts the lines of quoted line breaks and of empty lines, whatever ends them [contract 7]', async () => {
    for (const end of ['\n', '\r\n', '\r']) {
      const lines = ['email,first_name', 'a@x,"A', '', 'da ""the"" one"', '', '', 'b@x,Bob', 'c@x,Eve'];
      const { rows } = await read(lines.join(end));
      expect(shown(rows)).toEqual([
        [2, 'a@x', { email: 'a@x', first_name: `A${end}${end}da "the" one` }],
        [7, 'b@x', { email: 'b@x', first_name: 'Bob' }],
        [8, 'c@x', { email: 'c@x', first_name: 'Eve' }],
      ]);
    }
  });

  it('leaves fields with empty cells as they are, or clears them [contract 7]', async () => {
    const text = 'email,first_name,phone\na@x,,1\n';
    expect(shown((await read(text)).rows)).toEqual([[2, 'a@x', { email: 'a@x', phone: '1' }]]);
    const { rows } = await read(text, { clearEmpty: true });
    expect(shown(rows)).toEqual([[2, 'a@x', { email: 'a@x', first_name: null, phone: '1' }]]);
  });

  it('takes cells of white space for empty ones [contract 3, contract 7]', async () => {
    const text = 'email,first_name,archived\na@x, \u00a0, \n';
    expect(shown((await read(text)).rows)).toEqual([[2, 'a@x', { email: 'a@x' }]]);
    const { rows } = await read(text, { clearEmpty: true });
    expect(shown(rows)).toEqual([[2, 'a@x', { email: 'a@x', first_name: null }]]);
  });

  it('has its columns mapped, and ignored [contract 7]', async () => {
    const map: [string, string][] = [
      ['E-mail', 'email'],
      ['Notes', ''],
    ];
    const { rows } = await read('E-mail,Notes,created_at,_error\na@x,n,2026-01-01,bad\n', { map });
    expect(shown(rows)).toEqual([[2, 'a@x', { email: 'a@x' }]]);
  });

  it.each([',', ';', '\t'])(
    'has cells separated by %j, whatever a quoted heading contains [contract 7]',
    async (own) => {
      const others = [',', ';', '\t'].filter((each) => each !== own);
      const heading = `a${others.join('').repeat(3)} ""${own}z`;
      const map: [string, string][] = [[heading.replace('""', '"'), 'phone']];
      const { source, rows } = await read(`"${heading}"${own}email\n1${own}a@x\n`, { map });
      expect(shown(rows)).toEqual([[2, 'a@x', { phone: '1', email: 'a@x' }]]);
      expect(source.heading).toBe(`_line${own}_error${own}"${heading}"${own}email\n`);
    },
  );

  it('has the id as its key where that is wanted, which is no field [contract 7]', async () => {
    const { rows } = await read('id,phone\nx,1\n', { key: 'id' });
    expect(shown(rows)).toEqual([[2, 'x', { phone: '1' }]]);
  });

  it('is refused for headings that are wrong, all at once, before a row is read [contract 7]', async () => {
    const reading = read('frist_name,phone,phone,x\n', { map: [['Mail', 'email']] });
    await expect(reading).rejects.toMatchObject({
      details: {
        errors: [
          { message: 'Unknown column: frist_name (did you mean first_name?)' },
          { message: 'Two columns are for phone' },
          { message: 'Unknown column: x' },
          { message: 'There is no column Mail, which --map names' },
          { message: 'There is no column for the key email' },
        ],
      },
    });
    await expect(read('')).rejects.toThrow('The file is empty');
    await expect(read('"email\n')).rejects.toThrow('not closed');
  });

  it('refuses rows with too many or too few cells, those that are not UTF-8, and archived records [contract 7]', async () => {
    const text = Buffer.concat([
      Buffer.from('email,archived\na@x\nb@x,,\n'),
      Buffer.from('M\xfcller@x,\n', 'latin1'),
      Buffer.from('c@x,2026-01-01T00:00:00.000Z\nd@x,false\n'),
    ]);
    expect(shown((await read(text)).rows)).toEqual([
      [2, 'The row has 1 cells, and the headings are 2'],
      [3, 'The row has 3 cells, and the headings are 2'],
      [4, 'The row has bytes that are not UTF-8'],
      [5, 'Archived records are not imported'],
      [6, 'd@x', { email: 'd@x' }],
    ]);
  });

  it.each([
    ['b@x,B"o"b', 'The row has a quote inside a cell'],
    ['b@x,"B"ob', 'The row has a quote inside a cell'],
    ['b@x,"Bob', 'A quote that begins in this row is not closed'],
    [`b@x,"${'x'.repeat(9_000_000)}`, 'The row has more than 8388608 bytes'],
  ])('ends at a row whose end cannot be known: %# [contract 7]', async (row, problem) => {
    const { rows } = await read(`email,first_name\na@x,Ada\n${row}\nc@x,Eve\n`);
    expect(rows).toHaveLength(2);
    expect(rows[1]).toMatchObject({ line: 3, content: null, ends: true });
    expect((rows[1] as { problem: string }).problem).toContain(problem);
  });

  it('ends at a row of too many empty cells, of which it keeps no more than twice a row [contract 7]', async () => {
    let given = 0;
    async function* endless(): AsyncGenerator<Buffer> {
      yield Buffer.from('email,phone\n');
      for (; given < 1_000; given++) yield Promise.resolve(Buffer.alloc(1_000, ','));
    }
    const source = await readCsv(endless(), {
      columns: columns(),
      clearEmpty: false,
      mostRowBytes: 10_000,
    });
    const rows: SourceRow[] = [];
    for await (const row of source.rows) rows.push(row);
    expect(rows).toMatchObject([{ line: 2, ends: true }]);
    expect((rows[0] as { problem: string }).problem).toContain('The row has more than 10000 bytes');
    expect(given).toBeLessThan(25);
  });

  it('gives rejected rows back as they were, with line and reason in columns before them [contract 7]', async () => {
    const text = '_line;_error;email;first_name\n9;old;a@x;"A;""B""\nC"\n';
    const { source, rows } = await read(text);
    expect(source.heading).toBe('_line;_error;email;first_name\n');
    expect(source.rejected({ row: rows[0]!, message: 'no; "good"' })).toBe(
      '2;"no; ""good""";a@x;"A;""B""\nC"\n',
    );
  });

  it('ignores columns of that name that stand elsewhere [contract 7]', async () => {
    const { rows } = await read('email,_line,_error,first_name\na@x,9,old,Ada\n');
    expect(shown(rows)).toEqual([[2, 'a@x', { email: 'a@x', first_name: 'Ada' }]]);
  });

  it('gives rows of too many or too few cells back with all their cells, refused again until they are corrected [contract 7]', async () => {
    const again = async (text: string): Promise<{ bad: string; rows: unknown[] }> => {
      const { source, rows } = await read(text);
      const bad = rows.map((row) => ('problem' in row ? source.rejected({ row, message: row.problem }) : ''));
      return { bad: [source.heading, ...bad].join(''), rows: shown(rows) };
    };
    const reasons = ['4', '1', '2'].map((cells) => `The row has ${cells} cells, and the headings are 3`);
    const first = await again('email,first_name,phone\na@x,Acme, Inc,1\nb@x\nc@x,5\n');
    expect(first.bad).toBe(
      '_line,_error,email,first_name,phone\n' +
        `2,"${reasons[0]}",a@x,Acme, Inc,1\n3,"${reasons[1]}",b@x\n4,"${reasons[2]}",c@x,5\n`,
    );
    const second = await again(first.bad);
    expect(second.rows).toEqual(reasons.map((reason, index) => [index + 2, reason]));
    expect(second.bad).toBe(first.bad);
    const corrected = first.bad
      .replace('Acme, Inc', '"Acme, Inc"')
      .replace('b@x', 'b@x,,')
      .replace('c@x,5', 'c@x,,5');
    expect((await again(corrected)).rows).toEqual([
      [2, 'a@x', { email: 'a@x', first_name: 'Acme, Inc', phone: '1' }],
      [3, 'b@x', { email: 'b@x' }],
      [4, 'c@x', { email: 'c@x', phone: '5' }],
    ]);
  });

  it('takes rejected rows that fit when their headings are corrected, and refuses the others by the new number [contract 7]', async () => {
    const bad =
      '_line,_error,email,first_name\n' +
      '2,"The row has 3 cells, and the headings are 2",a@x,Ada,1\n' +
      '3,"The row has 1 cells, and the headings are 2",b@x\n';
    const { rows } = await read(bad.replace('first_name', 'first_name,phone'));
    expect(shown(rows)).toEqual([
      [2, 'a@x', { email: 'a@x', first_name: 'Ada', phone: '1' }],
      [3, 'The row has 1 cells, and the headings are 3'],
    ]);
  });
});
