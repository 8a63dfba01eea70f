import { STANDARD_FIELDS } from '../../fields/index.js';
import { Columns } from './columns.js';
import { readCsv, type CsvReading } from './read-csv.js';
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
  {
    map = [] as [string, string][],
    key = 'email',
    ...more
  }: Partial<CsvReading & { map: [string, string][]; key: string }> = {},
): Promise<{ source: RowSource; rows: SourceRow[] }> {
  const source = await readCsv(bytes(text), { columns: columns(map, key), clearEmpty: false, ...more });
  const rows: SourceRow[] = [];
  for await (const row of source.rows) rows.push(row);
  return { source, rows };
}

/** A row of a file of rejected rows, as text. */
const rejected = (source: RowSource, row: SourceRow, message: string): string =>
  String(source.rejected({ row, message }));

/** Lines, keys and fields, or problems, of the rows. */
const shown = (rows: readonly SourceRow[]): unknown[] =>
  rows.map((row) => ('problem' in row ? [row.line, row.problem] : [row.line, row.key, row.fields]));

describe('A CSV file', () => {
  it.each([
    ['with commas and \\n', 'email,first_name\na@x,Ada\nb@x,Bob\n'],
    ['with a byte order mark, semicolons and \\r\\n', '\uFEFFemail;first_name\r\na@x;Ada\r\nb@x;Bob\r\n'],
    ['with tabs, \\r and no last line break', 'email\tfirst_name\ra@x\tAda\rb@x\tBob'],
    ['with lines that end as they like', 'email,first_name\na@x,Ada\r\nb@x,Bob\r'],
    ['with headings that end alone with \\r\\n', 'email,first_name\r\na@x,Ada\nb@x,Bob\n'],
    ['with bars', 'email|first_name\na@x|Ada\nb@x|Bob\n'],
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
    await expect(read(' \n,,\n')).rejects.toThrow('The file is empty');
    await expect(read('\n"email\n')).rejects.toThrow('Line 2: A quote that begins in this row is not closed');
  });

  it('leaves rows out that have blank cells alone, also before the headings [contract 7]', async () => {
    const text = ',,,\n\n email,phone\n,\na@x,1\n\u00a0,""\n   \n"",""\n\t, ,,\nb@x,2\n,';
    expect(shown((await read(text)).rows)).toEqual([
      [5, 'a@x', { email: 'a@x', phone: '1' }],
      [10, 'b@x', { email: 'b@x', phone: '2' }],
    ]);
    expect((await read('_line,_error,email\n2,"no",a@x\n3,"no", \n,,\n')).rows).toHaveLength(1);
  });

  it('has its separator in a line before, which a file of rejected rows has, too [contract 7]', async () => {
    for (const start of ['sep=^\r\n', '\uFEFF"sep=^"\n', 'Title;;;\nsep=^\n']) {
      const skipLines = start.startsWith('T') ? 1 : 0;
      const { source, rows } = await read(`${start}phone^email\n,^a@x\n`, { skipLines });
      expect(shown(rows)).toEqual([[3 + skipLines, 'a@x', { phone: ',', email: 'a@x' }]]);
      const bad = `${source.heading}${rejected(source, rows[0]!, 'no')}`;
      expect(bad).toContain(`sep=^\n_line^_error^phone^email\n${3 + skipLines}^"no"^,^a@x\n`);
      expect(shown((await read(bad)).rows)).toEqual([[3, 'a@x', { phone: ',', email: 'a@x' }]]);
    }
  });

  it('has no more lines left out than it has [contract 7]', async () => {
    await expect(read('a\nemail\n', { skipLines: 3 })).rejects.toThrow('The file ends in the 3 lines');
    await expect(read('a\n'.repeat(40_000), { skipLines: 39_999 })).rejects.toThrow('More than 65536 bytes');
    expect((await read('a\nemail\nb@x\n', { skipLines: 1 })).rows).toMatchObject([{ line: 3, key: 'b@x' }]);
  });

  it('takes blank cells behind the last heading, and blank headings, for no columns [contract 7]', async () => {
    const { rows } = await read('email,first_name,, \na@x,Ada,,\nb@x,Bob,,,\nc@x,Eve,9, \nd@x,Dan,,,5\n');
    expect(shown(rows)).toEqual([
      [2, 'a@x', { email: 'a@x', first_name: 'Ada' }],
      [3, 'b@x', { email: 'b@x', first_name: 'Bob' }],
      [4, 'c@x', { email: 'c@x', first_name: 'Eve' }],
      [5, 'The row has 5 cells, and the headings are 4'],
    ]);
  });

  it('leaves out headings that come again, as in files that were put together [contract 7]', async () => {
    const { rows } = await read('email,first_name\na@x,Ada\n\uFEFFemail,first_name\nb@x,Bob\nemail,Eve\n');
    expect(shown(rows)).toEqual([
      [2, 'a@x', { email: 'a@x', first_name: 'Ada' }],
      [4, 'b@x', { email: 'b@x', first_name: 'Bob' }],
      [5, 'email', { email: 'email', first_name: 'Eve' }],
    ]);
  });

  it('refuses rows with too many or too few cells, those that are not UTF-8, and archived records [contract 7]', async () => {
    const text = Buffer.concat([
      Buffer.from('email,archived\na@x\nb@x,,x\n'),
      Buffer.from('M\xfcller@x,\n', 'latin1'),
      Buffer.from('c@x,2026-01-01T00:00:00.000Z\nd@x,false\n\uFFFD@x,\n'),
    ]);
    expect(shown((await read(text)).rows)).toEqual([
      [2, 'The row has 1 cells, and the headings are 2'],
      [3, 'The row has 3 cells, and the headings are 2'],
      [4, 'The row has bytes that are not UTF-8: is the file Windows-1252? Try --encoding windows-1252'],
      [5, 'Archived records are not imported'],
      [6, 'd@x', { email: 'd@x' }],
      [7, '\uFFFD@x', { email: '\uFFFD@x' }],
    ]);
    const headings = Buffer.from('email,pr\xe9nom\n', 'latin1');
    await expect(read(headings)).rejects.toThrow('Line 1: The row has bytes that are not UTF-8: is the file');
  });

  it('has the bytes of rows that are not UTF-8 among its rejected ones [contract 7]', async () => {
    const rest = Buffer.from('Ren\xe9e@x,"a\r\nb",\x80\n', 'latin1');
    const { source, rows } = await read(Buffer.concat([Buffer.from('email,first_name,phone\n'), rest]));
    const rejection = { row: rows[0]!, message: 'no: é' };
    const bad = source.rejected(rejection);
    expect(bad).toEqual(Buffer.concat([Buffer.from('2,"no: é",'), rest]));
    const again = Buffer.concat([Buffer.from(source.heading), Buffer.from(bad)]);
    expect(shown((await read(again, { encoding: 'windows-1252' })).rows)).toEqual([
      [2, 'Renée@x', { email: 'Renée@x', first_name: 'a\r\nb', phone: '€' }],
    ]);
    const second = await read(again);
    expect(second.source.rejected({ ...rejection, row: second.rows[0]! })).toEqual(bad);
  });

  it('in another encoding has its rejected rows in UTF-8, with the mark that says so [contract 7]', async () => {
    const text = Buffer.from('email,pr\xe9nom\nRen\xe9e@x,\x80\n', 'latin1');
    const more = { encoding: 'windows-1252', map: [['prénom', 'first_name']] as [string, string][] };
    const { source, rows } = await read(text, more);
    const bad = `${source.heading}${rejected(source, rows[0]!, 'no')}`;
    expect(bad).toBe('\uFEFF_line,_error,email,prénom\n2,"no",Renée@x,€\n');
    expect(shown((await read(bad, more)).rows)).toEqual([
      [2, 'Renée@x', { email: 'Renée@x', first_name: '€' }],
    ]);
    const wrong = Buffer.from('email,phone\n\xff@x,1\n', 'latin1');
    expect(shown((await read(wrong, { encoding: 'shift_jis' })).rows)).toEqual([
      [2, 'The row has bytes that are not shift_jis'],
    ]);
  });

  it.each([
    ['b@x,"B"ob', 'The row has a quote inside a cell in quotes: write "" for it'],
    ['b@x,"B\\"ob\\""', 'The row has a quote inside a cell in quotes: write "" for it'],
    ['b@x,"Bob', 'A quote that begins in this row is not closed'],
  ])('goes on behind the line of a row that cannot be read: %# [contract 7]', async (row, problem) => {
    const { source, rows } = await read(`email,first_name\na@x,Ada\n${row}\nc@x,Eve\n`);
    expect(shown(rows)).toEqual([
      [2, 'a@x', { email: 'a@x', first_name: 'Ada' }],
      [3, problem],
      [4, 'c@x', { email: 'c@x', first_name: 'Eve' }],
    ]);
    const bad = rejected(source, rows[1]!, problem);
    expect(bad).toBe(`3,"${problem.replaceAll('"', '""')}",${row}\n`);
    // Whatever stands behind it, it is refused alone, until it is corrected.
    for (const message of ['no', 'no "x"', '"x" is no']) {
      const other = rejected(source, rows[2]!, message);
      const again = (await read(`${source.heading}${bad}${other}`)).rows;
      expect(shown(again)).toEqual([
        [2, expect.any(String)],
        [3, 'c@x', expect.anything()],
      ]);
      expect(again[0]).toMatchObject({ content: row });
    }
  });

  it('refuses a row that is too large, and goes on behind it [contract 7]', async () => {
    const row = 'x'.repeat(9_000_000);
    const { source, rows } = await read(`email,first_name\nb@x,${row}\nb@x,"${row}\nc@x,Eve\n`);
    const problem = 'The row has more than 8388608 bytes';
    expect(shown(rows)).toEqual([
      [2, problem],
      [3, problem],
      [4, 'c@x', expect.anything()],
    ]);
    const bad = rows.slice(0, 2).map((each) => source.rejected({ row: each, message: problem }));
    expect(bad).toEqual([`2,"${problem}"\n`, `3,"${problem}"\n`]);
    expect(shown((await read(`${source.heading}${bad.join('')}`)).rows)).toEqual(
      [2, 3].map((line) => [line, 'The row has 0 cells, and the headings are 2']),
    );
  });

  it('has the apostrophes taken away that an export for spreadsheets has put there, and no others [contract 7]', async () => {
    const rows = "'=1,'+49\n''=1,'tis\n";
    expect(shown((await read(`email,phone\n${rows}`)).rows)).toMatchObject([
      [2, "'=1", { phone: "'+49" }],
      [3, "''=1", { phone: "'tis" }],
    ]);
    const marked = rows.replaceAll('\n', ',\n');
    expect(shown((await read(`email,phone,_spreadsheet\n${marked}`)).rows)).toMatchObject([
      [2, '=1', { phone: '+49' }],
      [3, "'=1", { phone: "'tis" }],
    ]);
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
