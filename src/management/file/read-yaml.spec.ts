import { parseDocument, visit } from 'yaml';
import { stepsOf } from '../../../test/units/steps-of.js';
import type { FieldError } from '../../errors/domain-error.js';
import { ConfigurationFileError } from './configuration-file.error.js';
import { duplicateKeys } from './duplicate-keys.js';
import { placesOf, readYaml } from './read-yaml.js';

/** The failures of a text that cannot be read. */
function failuresOf(text: string): readonly FieldError[] {
  try {
    readYaml(text);
  } catch (error) {
    if (error instanceof ConfigurationFileError) return error.all;
    throw error;
  }
  throw new Error('It can be read');
}

const shown = (message: string, place: string, excerpt: string): string =>
  `${message} at ${place}:\n\n${excerpt}`;

describe('a text with keys that stand in one map twice', () => {
  it('names each of them in its place, among other failures [contract 5]', () => {
    const failures = failuresOf('a: 1\nb: { c: 1, c: 2 }\na: "\\q"\n1: x\n1: y\n');
    expect(failures).toEqual([
      {
        line: 2,
        column: 12,
        message: shown('Map keys must be unique', 'line 2, column 12', `b: { c: 1, c: 2 }\n${mark(12)}`),
      },
      {
        line: 3,
        column: 1,
        message: shown('Map keys must be unique', 'line 3, column 1', `a: "\\q"\n${mark(1)}`),
      },
      {
        line: 3,
        column: 5,
        message: shown('Invalid escape sequence \\q', 'line 3, column 5', `a: "\\q"\n${mark(5)}`),
      },
      {
        line: 5,
        column: 1,
        message: shown('Map keys must be unique', 'line 5, column 1', `1: y\n${mark(1)}`),
      },
    ]);
  });

  it('shows a part of a long line [contract 5]', () => {
    const [failure] = failuresOf(`{ ${'x'.repeat(100)}: 1, a: 1, a: 2, ${'y'.repeat(100)}: 1 }`);
    const excerpt = `${'x'.repeat(29)}: 1, a: 1, a: 2, ${'y'.repeat(34)}\n${mark(41)}`;
    expect(failure?.message).toBe(shown('Map keys must be unique', 'line 1, column 114', excerpt));
  });
});

const mark = (column: number): string => `${' '.repeat(column - 1)}^`;

describe('a text with many keys in one map', () => {
  const keys = (count: number): string[] => Array.from({ length: count }, (_, n) => `key${n}: 1`);
  const same = (count: number): string[] => Array<string>(count).fill('k: 1');
  const FEW = 300;
  const TIMES = 12;

  it.each<[string, (count: number) => unknown]>([
    ['in lines, with a failure behind them', (count) => failuresOf(`${keys(count).join('\n')}\n"`)],
    ['in one line, with a failure behind them', (count) => failuresOf(`{${keys(count).join(', ')}} }`)],
    ['in one line, all the same', (count) => failuresOf(`{${same(count).join(', ')}}`)],
    ['whose places are looked for', (count) => placesOf(keys(count).join('\n'))('key1')],
  ])('is read in steps in proportion to them: %s [contract 5]', (_, read) => {
    const few = stepsOf(() => read(FEW));
    // Squared, they would be TIMES * TIMES.
    expect(stepsOf(() => read(TIMES * FEW)) / few).toBeLessThan(1.5 * TIMES);
  });

  it('has each key compared by its value, which is taken three times at most', () => {
    const document = parseDocument(same(FEW).join('\n'), { uniqueKeys: false });
    let taken = 0;
    visit(document, {
      Scalar: (_, scalar) => {
        const { value } = scalar;
        Object.defineProperty(scalar, 'value', { get: () => ((taken += 1), value) });
      },
    });
    expect(duplicateKeys(document)).toHaveLength(FEW - 1);
    expect(taken).toBeLessThanOrEqual(3 * FEW);
  });
});
