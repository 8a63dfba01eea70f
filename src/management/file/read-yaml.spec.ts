import { stepsOf } from '../../../test/units/steps-of.js';
import type { FieldError } from '../../errors/domain-error.js';
import { ConfigurationFileError, type PlaceOf } from './configuration-file.error.js';
import { readYaml } from './read-yaml.js';

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

describe('numbers of a text', () => {
  const written = [
    '01234',
    '007',
    '1.10',
    '1.0',
    '1e3',
    '0x1F',
    '0o17',
    '+5',
    '-0',
    '.5',
    '12345678901234567890',
  ];

  it.each(['value', 'internal_name', 'label', 'name', 'slug'])(
    'are as they are written under %s, where YAML would respell them [contract 5]',
    (key) => {
      for (const text of written) expect(readYaml(`{ ${key}: ${text} }`).value).toEqual({ [key]: text });
      expect(readYaml(`{ ${key}: 1.5, other: 1.50 }`).value).toEqual({ [key]: 1.5, other: 1.5 });
    },
  );

  it('are so in lists of values, and not in what these have [contract 5]', () => {
    const { value } = readYaml(
      `{ values: [${written.join(', ')}, 1, "02"], value: [007, { a: 007, name: 007 }] }`,
    );
    expect(value).toEqual({ values: [...written, '1', '02'], value: ['007', { a: 7, name: '007' }] });
  });

  it('are days and instants under from and to [contract 3, contract 5]', () => {
    expect(readYaml('{ from: 20261224, to: 2026 }').value).toEqual({ from: '20261224', to: '2026' });
  });

  it('stay numbers under other keys [contract 5]', () => {
    expect(readYaml('{ max: 010, hour: 1e3, value_of: 0x1F, list: [01, 1.0] }').value).toEqual({
      max: 10,
      hour: 1000,
      value_of: 31,
      list: [1, 1],
    });
  });
});

describe('a text with what JSON has not', () => {
  it.each([
    ['1: a\n"1": b', 'Map keys must be unique', 2, 1],
    ['true: a\n"true": b', 'Map keys must be unique', 2, 1],
    ['null: a\n"null": b', 'Map keys must be unique', 2, 1],
    ['0x1: a\n1: b', 'Map keys must be unique', 2, 1],
    ['a: 1\n? { b: 1 }\n: 2', 'Map keys must be scalars', 2, 3],
    ['? [a]\n: 2', 'Map keys must be scalars', 1, 3],
    ['a: &x b\n*x : 2', 'Map keys must be scalars', 2, 1],
    ['a: 1\nb: !foo bar', 'Unresolved tag: !foo', 2, 4],
    ['a: !!binary aGk=', 'Unresolved tag: tag:yaml.org,2002:binary', 1, 4],
    ['%YAML 1.1\n---\na: !!binary aGk=', 'Unresolved tag: tag:yaml.org,2002:binary', 3, 4],
    ['a: !!set { b }', 'Unresolved tag: tag:yaml.org,2002:set', 1, 4],
  ])('is refused in its place: %j [contract 5]', (text, message, line, column) => {
    const [failure, ...others] = failuresOf(text);
    expect(others).toEqual([]);
    expect(failure).toMatchObject({ line, column });
    expect(failure?.message).toMatch(message);
  });

  it('keeps keys that are numbers, and tags that are known [contract 5]', () => {
    expect(readYaml('1: !!str 2\n2: !!int "3"\n').value).toEqual({ 1: '2', 2: 3 });
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
    ['whose places are looked for', (count) => readYaml(keys(count).join('\n')).placeOf('key1')],
  ])('is read in steps in proportion to them: %s [contract 5]', (_, read) => {
    const few = stepsOf(() => read(FEW));
    // Squared, they would be TIMES * TIMES.
    expect(stepsOf(() => read(TIMES * FEW)) / few).toBeLessThan(1.5 * TIMES);
  });
});

const FILE = `# Sales
accounts:
  - slug: acme
    users: &all
      - email: ada@acme.test
      - { email: bob@acme.test,
          available: true }
    teams:
      - name: Sales
        members: *all
  - { "slug": other }
`;

const placesOf = (text: string): PlaceOf => readYaml(text).placeOf;

describe('the place of a key of a configuration file', () => {
  it.each([
    ['accounts', 2, 1],
    ['accounts[0]', 3, 5],
    ['accounts[0].slug', 3, 5],
    ['accounts[0].users', 4, 5],
    ['accounts[0].users[0].email', 5, 9],
    ['accounts[0].users[1].available', 7, 11],
    ['accounts[0].teams[0].members', 10, 9],
    ['accounts[1].slug', 11, 7],
  ])('%s is line %s, column %s', (path, line, column) =>
    expect(placesOf(FILE)(path)).toEqual({ line, column }),
  );

  it.each([
    ['accounts[0].teams[0].colour', 9, 9],
    ['accounts[0].users[7].email', 4, 5],
    ['accounts[0].teams[0].members[0].email', 10, 9],
  ])('is that of what is around it where it is not there: %s', (path, line, column) =>
    expect(placesOf(FILE)(path)).toEqual({ line, column }),
  );

  it('is unknown where nothing is around it', () => {
    expect(placesOf(FILE)('colour')).toBeUndefined();
    expect(placesOf('')('accounts')).toBeUndefined();
  });
});
