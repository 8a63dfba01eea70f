import { isAlias, isMap, isScalar, isSeq, type LineCounter, type Node } from 'yaml';
import type { FieldError } from '../../errors/domain-error.js';

/** Where a key of a file begins: numbers of the line and of the character in it, from 1. */
export type FilePlace = Readonly<Required<Pick<FieldError, 'line' | 'column'>>>;

/** Finds the place of a key of a file; undefined where there is none. */
export type PlaceOf = (path: string) => FilePlace | undefined;

/**
 * Returns a function that finds the place of a key of a configuration file.
 * @param contents of the file, as the parser gives them
 * @param counter of its lines
 * @returns takes a path such as `accounts[0].teams[1].members`, and gives the place of the key or the item;
 *   where it is not there, that of the nearest around it; undefined where there is none
 */
export function filePlaces(contents: Node | null, counter: LineCounter): PlaceOf {
  return (path) => {
    let node: Node | null | undefined = contents;
    let at: number | undefined;
    for (const [, key, index] of path.matchAll(/([^.[\]]+)|\[(\d+)\]/g)) {
      const found: Part | undefined =
        index === undefined ? pairOf(node, key ?? '') : itemOf(node, Number(index));
      if (found === undefined) break;
      at = found.at;
      node = isAlias(found.value) ? undefined : found.value;
    }
    if (at === undefined) return undefined;
    const { line, col } = counter.linePos(at);
    return { line, column: col };
  };
}

/** Where a key or an item begins, and what is behind it. */
interface Part {
  readonly at: number | undefined;
  readonly value: Node | null | undefined;
}

function pairOf(node: Node | null | undefined, key: string): Part | undefined {
  if (!isMap(node)) return undefined;
  const pair = node.items.find((each) => isScalar(each.key) && String(each.key.value) === key);
  return pair && { at: (pair.key as Node).range?.[0], value: pair.value as Node | null };
}

function itemOf(node: Node | null | undefined, index: number): Part | undefined {
  const item = isSeq(node) ? (node.items[index] as Node | undefined) : undefined;
  return item && { at: item.range?.[0], value: item };
}
