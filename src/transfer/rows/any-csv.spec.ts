import fc from 'fast-check';
import type { FieldDefinition } from '../../fields/index.js';
import { Columns } from './columns.js';
import { readCsv } from './read-csv.js';

const textField = (internalName: string): FieldDefinition => ({
  objectType: 'contacts',
  internalName,
  label: internalName,
  type: 'string',
  options: [],
  standard: false,
});

describe('Any table of cells', () => {
  const anyCell = (characters: readonly string[]): fc.Arbitrary<string> =>
    fc.string({ unit: fc.constantFrom(...characters), maxLength: 5 });
  const ASCII = ['a', 'b', '"', '""', ',', ';', '\t', '|', ' ', '\r', '\n', '\r\n', "'", '\\', '='];
  const WEST = [...ASCII, 'é', '€', '\u00a0'];
  const ALL = [...WEST, '日', '😀', '\u2028', '\uFEFF'];

  /** How a table is written. */
  const dialects = fc.record({
    delimiter: fc.constantFrom(',', ';', '\t', '|'),
    separatorLine: fc.constantFrom('', '', 'sep=%', '"sep=%"'),
    isMarked: fc.boolean(),
    ends: fc.array(fc.constantFrom('\n', '\r\n', '\r'), { minLength: 1, maxLength: 4 }),
    /** For some cells, whether quotes are there without need, and what stands around them. */
    quotes: fc.array(
      fc.tuple(fc.boolean(), fc.constantFrom('', ' ', '\t', '  '), fc.constantFrom('', ' ', '\t')),
      {
        minLength: 1,
        maxLength: 7,
      },
    ),
    sizes: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 }),
    hasLastEnd: fc.boolean(),
  });

  const tables = fc
    .tuple(fc.constantFrom('utf-8', 'utf-16le', 'utf-16be', 'windows-1252'), fc.integer({ min: 1, max: 4 }))
    .chain(([encoding, width]) => {
      const cell = anyCell(encoding === 'windows-1252' ? WEST : ALL);
      const rows = fc.array(fc.array(cell, { minLength: width, maxLength: width }), { maxLength: 4 });
      return fc.record({ encoding: fc.constant(encoding), width: fc.constant(width), rows });
    });

  const WINDOWS = new Map([['€', 0x80]]);
  function encoded(text: string, encoding: string): Buffer {
    if (encoding === 'utf-8') return Buffer.from(text);
    if (encoding === 'windows-1252')
      return Buffer.from(Array.from(text, (each) => WINDOWS.get(each) ?? each.charCodeAt(0)));
    const bytes = Buffer.from(text, 'utf16le');
    return encoding === 'utf-16le' ? bytes : bytes.swap16();
  }

  it('is read as it was, in whatever dialect it is written [contract 7]', async () => {
    await fc.assert(
      fc.asyncProperty(tables, dialects, async ({ encoding, width, rows }, dialect) => {
        const { delimiter, ends, quotes, sizes, hasLastEnd } = dialect;
        let cells = 0;
        const written = (cell: string): string => {
          const [isQuoted, before, behind] = quotes[cells++ % quotes.length]!;
          const mustBe = cell.includes(delimiter) || /^[ \t]*"|[\r\n]/.test(cell);
          if (!isQuoted && !mustBe) return cell;
          // A tab in the headings may separate.
          const padding = [before, behind].map((each) =>
            each === delimiter || cell.startsWith('f') ? ' ' : each,
          );
          return `${padding[0]}"${cell.replaceAll('"', '""')}"${padding[1]}`;
        };
        const names = Array.from({ length: width }, (_, index) => `f${index}`);
        // Of one column alone nothing can be seen.
        const separator = width === 1 ? dialect.separatorLine || 'sep=%' : dialect.separatorLine;
        const lines = [
          ...(separator === '' ? [] : [separator.replace('%', delimiter)]),
          ...[names, ...rows].map((row) => row.map(written).join(delimiter)),
        ];
        const end = (index: number): string =>
          index < lines.length - 1 || hasLastEnd ? ends[index % ends.length]! : '';
        const text = lines.map((line, index) => `${line}${end(index)}`).join('');
        const isMarked = dialect.isMarked && encoding !== 'windows-1252';
        const file = encoded(`${isMarked ? '\uFEFF' : ''}${text}`, encoding);
        async function* parts(): AsyncGenerator<Buffer> {
          for (let at = 0, part = 0; at < file.length; part++) {
            const size = sizes[part % sizes.length]!;
            yield Promise.resolve(file.subarray(at, at + size));
            at += size;
          }
        }
        const source = await readCsv(parts(), {
          columns: new Columns({
            fields: names.map(textField),
            isManaged: () => false,
            key: 'f0',
            map: new Map(),
          }),
          clearEmpty: true,
          encoding: isMarked ? undefined : encoding,
        });
        const found: unknown[] = [];
        for await (const row of source.rows) found.push('problem' in row ? row : row.fields);
        const isBlank = (cell: string): boolean => cell.trim() === '';
        const expected = rows
          .filter((row) => !row.every(isBlank))
          .map((row) => Object.fromEntries(row.map((cell, at) => [names[at], isBlank(cell) ? null : cell])));
        expect(found).toEqual(expected);
      }),
      { numRuns: 3000 },
    );
  });
});
