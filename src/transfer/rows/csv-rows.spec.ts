import fc from 'fast-check';
import { CsvRows, type CsvRow } from './csv-rows.js';

/** Reads a text in parts of a size. */
function read(text: string, { size = 1, delimiter = ',', most = 1000, line = 1 } = {}): CsvRow[] {
  const rows = new CsvRows({ delimiter, line, most });
  const found: CsvRow[] = [];
  for (let at = 0; at < text.length; at += size) found.push(...rows.add(text.slice(at, at + size)));
  return [...found, ...rows.end()];
}

/** Line and cells, or line, text and how the problem begins, of rows, whose text comes in whatever parts. */
function shown(text: string, options: { delimiter?: string; most?: number } = {}): unknown[] {
  const whole = read(text, { ...options, size: text.length });
  for (const size of [1, 2, 3, 7]) expect(read(text, { ...options, size })).toEqual(whole);
  return whole.map((row) =>
    'cells' in row ? [row.line, ...row.cells] : [row.line, row.text, row.problem.slice(0, 15)],
  );
}

const [INSIDE, OPEN, LARGE] = ['The row has a q', 'A quote that be', 'The row has mor'];

describe('Rows of CSV', () => {
  it('end at CRLF, LF and CR, whichever came first, but in quotes', () => {
    expect(shown('a,b\nc,d\r\ne,f\rg,"h\r\ni\rj\nk"\r\nl,m')).toEqual([
      [1, 'a', 'b'],
      [2, 'c', 'd'],
      [3, 'e', 'f'],
      [4, 'g', 'h\r\ni\rj\nk'],
      [8, 'l', 'm'],
    ]);
    expect(shown('\n\r\n\r\r\na')).toEqual([
      [1, ''],
      [2, ''],
      [3, ''],
      [4, ''],
      [5, 'a'],
    ]);
  });

  it('have quotes as characters in cells that do not begin with one', () => {
    expect(shown('19" Customs,Jack "Joe" Smith,""" x"\n"a" ,b\nx\t,\t"b, c",  d "\n"",""""')).toEqual([
      [1, '19" Customs', 'Jack "Joe" Smith', '" x'],
      [2, 'a', 'b'],
      [3, 'x\t', 'b, c', '  d "'],
      [4, '', '"'],
    ]);
    expect(shown('" "\t"a"\t "b"\t', { delimiter: '\t' })).toEqual([[1, ' ', 'a', 'b', '']]);
  });

  it('that are ambiguous end at the first line end behind the cell, whose text they keep', () => {
    const bad = ['x,"FOO "BAR" BAZ",y', '"a\\"b",c', 'q,"open', '"p"  q'];
    expect(shown(`a,b\n${bad.join('\r\n')}\nc,d`)).toEqual([
      [1, 'a', 'b'],
      [2, bad[0], INSIDE],
      [3, bad[1], INSIDE],
      [4, bad[2], INSIDE],
      [5, bad[3], INSIDE],
      [6, 'c', 'd'],
    ]);
    expect(shown('a,"b\nc,"d"\n"e\nf","g\nh,""i\n"",j')).toEqual([
      [1, 'a,"b', INSIDE],
      [2, 'c', 'd'],
      [3, '"e\nf","g', OPEN],
      [5, 'h,""i', INSIDE],
      [6, '', 'j'],
    ]);
    expect(shown('"')).toEqual([[1, '"', OPEN]]);
  });

  it('that are too large end at the first line end behind the cell that goes beyond', () => {
    const most = 10;
    expect(shown('1234567890\n12345678901\r\n,,,,,,,,,,,,\r"a\nb","c\nd","e"\nf,g', { most })).toEqual([
      [1, '1234567890'],
      [2, null, LARGE],
      [3, null, LARGE],
      [4, '"a\nb","c', LARGE],
      [6, 'd"', 'e'],
      [7, 'f', 'g'],
    ]);
    expect(shown('"a\nb",cdefghijklmn\r\no', { most })).toEqual([
      [1, null, LARGE],
      [3, 'o'],
    ]);
    expect(shown('"a\n23456789"\n"a\nb,c\nd,e\nf,g\nh', { most })).toEqual([
      [1, '"a', LARGE],
      [2, '23456789"'],
      [3, '"a', LARGE],
      [4, 'b', 'c'],
      [5, 'd', 'e'],
      [6, 'f', 'g'],
      [7, 'h'],
    ]);
  });

  it('are those of the whole text in whatever parts it comes, and stand at their lines', () => {
    const texts = fc.string({
      unit: fc.constantFrom('a', ',', '"', '""', '\r', '\n', '\r\n', ' '),
      maxLength: 60,
    });
    fc.assert(
      fc.property(
        texts,
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 9 }),
        (text, most, size) => {
          const rows = read(text, { size, most });
          expect(rows).toEqual(read(text, { size: 100, most }));
          const lines = text.split(/(?<=\r\n|\r(?!\n)|\n)/);
          for (const [index, row] of rows.entries()) {
            const rest = lines.slice(row.line - 1, (rows[index + 1]?.line ?? Infinity) - 1).join('');
            if (row.text === null) expect(rest.length).toBeGreaterThan(most);
            else expect(rest.replace(/[\r\n]*$/, '')).toBe(row.text.replace(/[\r\n]*$/, ''));
          }
          expect(rows[0]?.line ?? 1).toBe(1);
        },
      ),
      { numRuns: 2000 },
    );
  });

  describe('take linear time, whatever the text', () => {
    /** How many characters are looked at, for each of the text. */
    function looks(text: string, options: { size: number; most: number }): number {
      let count = 0;
      let longest = 0;
      // eslint-disable-next-line @typescript-eslint/unbound-method
      const { charCodeAt, indexOf } = String.prototype;
      // A spy of jest would keep every call.
      Object.assign(String.prototype, {
        charCodeAt(this: string, at: number): number {
          count += 1;
          longest = Math.max(longest, this.length);
          return charCodeAt.call(this, at);
        },
        indexOf(this: string, what: string, from = 0): number {
          const found = indexOf.call(this, what, from);
          count += (found < 0 ? this.length : found + 1) - from;
          return found;
        },
      });
      try {
        read(text, options);
      } finally {
        Object.assign(String.prototype, { charCodeAt, indexOf });
      }
      expect(longest).toBeLessThanOrEqual(2 * options.most + options.size + 2);
      return count / text.length;
    }

    it.each([
      ['each line opens a quote', 'a,"x\n'],
      ['each line opens one behind a quote that is a character', 'x",y,"\n'],
      ['each line opens one that is closed at its end', '",x,"\n'],
      ['all quotes behind the first are pairs', 'a,""\n'],
      ['all quotes behind the first are pairs at the beginning of cells', '"",""\n""""\n'],
      ['lines are longer and longer', '"a'],
      ['a cell has pairs alone', '""'],
      ['a row has cells alone', ','],
      ['a row has blanks alone', '\t'],
      ['rows have line ends alone', '\r'],
      ['cells have text behind them', '" "x,\n'],
      ['cells have blanks around them', ' "" \t,'],
    ])('where %s', (_, line) => {
      for (const size of [1, 997]) {
        for (const begin of ['', '"', 'a,"\n', '"",""x"']) {
          const text = begin + line.repeat(9_000 / line.length);
          for (const most of [200, 1e9]) expect(looks(text, { size, most })).toBeLessThan(12);
        }
      }
    });
  });
});
