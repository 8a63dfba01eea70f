import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  visit,
  type Document,
  type Node,
  type Pair,
  type Scalar,
} from 'yaml';
import type { FieldError } from '../../errors/domain-error.js';
import { ConfigurationFileError, type FilePlace, type PlaceOf } from './configuration-file.error.js';

/** Values for each character of a text, beyond which its aliases repeat too much. */
const MOST_VALUES = 10;

/** Characters of a line that are shown around a failure. */
const SHOWN = 80;

const TOO_DEEP = 'The file nests lists and objects too deep';

/**
 * Keys of values and names, and of lists of them. A number there that YAML would respell is the text as it is
 * written (contract section 3): `01234` is no 1234. See `asFieldsHave` for what fields make of it.
 */
const TEXTS: ReadonlySet<string> = new Set(['value', 'internal_name', 'label', 'name', 'slug', 'id']);

/** Keys of texts alone: values as records store them, and instants, of which `20261224` is a day. */
const ALWAYS: ReadonlySet<string> = new Set(['values', 'from', 'to']);

/** What yaml says to programmers, in words for people. */
const MESSAGES: ReadonlyMap<string, string> = new Map([['MULTIPLE_DOCS', 'The file must be one document']]);

/**
 * Reads YAML; JSON is YAML. It does itself what takes yaml time in proportion to the square of a file:
 * finding keys that are there twice, following aliases, and showing where a failure is.
 * @returns what the text contains, without cycles; null for an empty text
 * @throws ConfigurationFileError with the place of each failure
 */
export function readYaml(text: string): { readonly value: unknown; readonly placeOf: PlaceOf } {
  const lines = new LineCounter();
  try {
    const document = parseDocument(text, {
      uniqueKeys: false,
      prettyErrors: false,
      resolveKnownTags: false,
      schema: 'core',
      lineCounter: lines,
    });
    const failures = failuresOf(document, { text, lines });
    if (failures.length > 0) throw new ConfigurationFileError(failures);
    const value = valueOf(document, (text.length + 1) * MOST_VALUES, lines);
    return { value, placeOf: (path) => placeIn(document.contents, path, lines) };
  } catch (error) {
    // The work has run out of stack.
    throw error instanceof RangeError ? refusal(TOO_DEEP) : error;
  }
}

/** Names the failures in their order, each with its place and what stands there. */
function failuresOf(
  document: Document.Parsed,
  { text, lines }: { readonly text: string; readonly lines: LineCounter },
): FieldError[] {
  const failures = [
    ...[...document.errors, ...document.warnings].map(({ pos: [at], code, message }) => ({
      at,
      message: MESSAGES.get(code) ?? message,
    })),
    ...badKeys(document),
  ];
  // The parser collects its own overflow.
  if (failures.some(({ message }) => message.startsWith('Maximum call stack'))) throw refusal(TOO_DEEP);
  failures.sort((one, other) => one.at - other.at);
  return failures.map(({ at, message }) => {
    const { line, col } = lines.linePos(Math.max(at, 0));
    const place = `${message} at line ${line}, column ${col}`;
    return { line, column: col, message: `${place}${excerpt(text, at, col)}` };
  });
}

/** A failure at an offset of the text. */
interface Failure {
  readonly at: number;
  readonly message: string;
}

/** Returns the keys that are no scalars, and those that a map has already, as JSON spells keys. */
function badKeys(document: Document.Parsed): Failure[] {
  const failures: Failure[] = [];
  visit(document, {
    Map: (_, { items, range }) => {
      const known = new Set<string>();
      for (const { key } of items as Pair<Node | null>[]) {
        const at = key?.range?.[0] ?? range?.[0] ?? 0;
        const name = isScalar(key) ? String(key.value) : undefined;
        if (name === undefined) failures.push({ at, message: 'Map keys must be scalars' });
        else if (known.has(name)) failures.push({ at, message: 'Map keys must be unique' });
        else known.add(name);
      }
    },
  });
  return failures;
}

/** The line around an offset, with a mark below it; empty where nothing stands there. */
function excerpt(text: string, at: number, column: number): string {
  const before = Math.min(column - 1, SHOWN / 2);
  const [shown = ''] = text.slice(at - before, at - before + SHOWN).split(/[\r\n]/);
  return shown.trim() === '' ? '' : `:\n\n${shown}\n${' '.repeat(before)}^`;
}

/** What an anchor stands for; without a size while it is read. */
interface Anchored {
  value?: unknown;
  /** How many parts it has, those that its aliases repeat included. */
  size?: number;
}

/**
 * Returns what a document contains, in one walk: yaml looks for the anchor of each alias from the start.
 * @throws ConfigurationFileError for an unknown alias, for a cycle, and for more than `most` parts
 */
function valueOf(document: Document.Parsed, most: number, lines: LineCounter): unknown {
  const anchors = new Map<string, Anchored>();
  let size = 0;
  const grow = (by: number): void => {
    size += by;
    if (size > most) throw refusal('The aliases of the file repeat too much of it');
  };
  const read = (node: Node | null, key: string): unknown => {
    grow(1);
    if (isAlias(node)) {
      const found = anchors.get(node.source);
      const refuse = (message: string): never => {
        // Behind the `*`.
        const { line, col: column } = lines.linePos((node.range?.[0] ?? 0) + 1);
        const at = `${message} at line ${line}, column ${column}`;
        throw new ConfigurationFileError([{ line, column, message: at }]);
      };
      if (found === undefined) return refuse(`unidentified alias "${node.source}"`);
      if (found.size === undefined) return refuse('An alias must not lead back to where it stands');
      grow(found.size);
      return found.value;
    }
    const before = size;
    const entry: Anchored = {};
    if (node?.anchor !== undefined) anchors.set(node.anchor, entry);
    entry.value = partsOf(node, key, read);
    entry.size = size - before;
    return entry.value;
  };
  return read(document.contents, '');
}

/** @param key that under which it stands, also in a list */
function partsOf(node: Node | null, key: string, read: (node: Node | null, key: string) => unknown): unknown {
  if (isSeq<Node>(node)) return node.items.map((item) => read(item, key));
  if (isMap<Node, Node | null>(node)) {
    return Object.fromEntries(
      node.items.map((pair) => {
        const name = String((pair.key as Scalar).value);
        return [name, read(pair.value, name)];
      }),
    );
  }
  if (!isScalar(node)) return null;
  const { value, source } = node;
  if (typeof value !== 'number' || source === undefined) return value;
  return ALWAYS.has(key) || (TEXTS.has(key) && source !== String(value)) ? source : value;
}

const refusal = (message: string): ConfigurationFileError => new ConfigurationFileError([{ message }]);

/** Returns where a key or an item begins, or what is nearest around it. */
function placeIn(contents: Node | null, path: string, lines: LineCounter): FilePlace | undefined {
  let node: Node | null | undefined = contents;
  let at: number | undefined;
  for (const [, key, index] of path.matchAll(/([^.[\]]+)|\[(\d+)\]/g)) {
    let begins: Node | undefined;
    if (index !== undefined) {
      begins = node = isSeq<Node>(node) ? node.items[Number(index)] : undefined;
    } else {
      const pairs: readonly Pair<Node, Node | null>[] = isMap<Node, Node | null>(node) ? node.items : [];
      const pair = pairs.find((each) => isScalar(each.key) && String(each.key.value) === key);
      begins = pair?.key;
      node = pair?.value;
    }
    if (begins === undefined) break;
    at = begins.range?.[0];
  }
  if (at === undefined) return undefined;
  const { line, col } = lines.linePos(at);
  return { line, column: col };
}
