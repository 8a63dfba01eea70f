import {
  isAlias,
  isMap,
  isNode,
  isPair,
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

/** How often aliases may repeat one part of a file, those of aliases in it included. */
const MOST_REPEATED = 10_000;

/**
 * Keys of values and names, and of lists of them. A number there that YAML would respell is the text as it is
 * written (contract section 3): `01234` of a postcode is no 1234. See `asFieldsHave` for what fields make of
 * it.
 */
const TEXTS: ReadonlySet<unknown> = new Set(['value', 'internal_name', 'label', 'name', 'slug', 'id']);

/** Keys of texts alone: values as records store them, and instants, of which `20261224` is a day. */
const ALWAYS: ReadonlySet<unknown> = new Set(['values', 'from', 'to']);

const TOO_DEEP = 'The file nests lists and objects too deep';

/**
 * Reads YAML; JSON is YAML.
 * @returns what the text contains, without cycles; null for an empty text
 * @throws ConfigurationFileError with the place of each failure
 */
export function readYaml(text: string): { readonly value: unknown; readonly placeOf: PlaceOf } {
  const lines = new LineCounter();
  try {
    const document = parseDocument(text, {
      // As JSON spells keys.
      uniqueKeys: (one, other) =>
        isScalar(one) && isScalar(other) && String(one.value) === String(other.value),
      resolveKnownTags: false,
      schema: 'core',
      lineCounter: lines,
    });
    const found = [...document.errors, ...document.warnings];
    // The parser collects its own overflow.
    if (found.some(({ code }) => code === 'RESOURCE_EXHAUSTION')) throw refusal(TOO_DEEP);
    const failures: FieldError[] = found.map(({ code, message, linePos }) => {
      const isSecond = code === 'MULTIPLE_DOCS';
      const said = isSecond ? message.replace(/^.*?(?= at line )/, 'The file must be one document') : message;
      return { ...(linePos && { line: linePos[0].line, column: linePos[0].col }), message: said.trimEnd() };
    });
    failures.push(...prepare(document, lines));
    if (failures.length > 0) throw new ConfigurationFileError(failures);
    const value: unknown = document.toJS({ maxAliasCount: MOST_REPEATED });
    return { value, placeOf: (path) => placeIn(document.contents, path, lines) };
  } catch (error) {
    // The work has run out of stack.
    if (error instanceof RangeError) throw refusal(TOO_DEEP);
    throw error instanceof ReferenceError ? refusal('The aliases of the file repeat too much of it') : error;
  }
}

/** Makes texts of the numbers that are to be. @returns what a document has that JSON has not */
function prepare(document: Document.Parsed, lines: LineCounter): FieldError[] {
  const anchors = new Set<string>();
  const failures: FieldError[] = [];
  const fail = (message: string, at = 0): void => {
    const { line, col: column } = lines.linePos(at);
    failures.push({ line, column, message: `${message} at line ${line}, column ${column}` });
  };
  visit(document, (at, node, path) => {
    if (isPair(node) && isNode(node.key) && !isScalar(node.key)) {
      fail('Map keys must be scalars', node.key.range?.[0]);
    }
    if (isAlias(node)) {
      // Behind the `*`.
      const place = (node.range?.[0] ?? 0) + 1;
      const isOf = (each: unknown): boolean => isNode(each) && !isAlias(each) && each.anchor === node.source;
      if (!anchors.has(node.source)) fail(`unidentified alias "${node.source}"`, place);
      else if (path.some(isOf)) fail('An alias must not lead back to where it stands', place);
    } else if (isNode(node) && node.anchor !== undefined) anchors.add(node.anchor);
    if (at === 'key' || !isScalar(node) || typeof node.value !== 'number' || node.source === undefined)
      return;
    const key = path.findLast((each) => isPair<Scalar>(each))?.key.value;
    if (ALWAYS.has(key) || (TEXTS.has(key) && node.source !== String(node.value))) node.value = node.source;
  });
  return failures;
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
