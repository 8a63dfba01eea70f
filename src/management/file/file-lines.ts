import { isAlias, isMap, isScalar, isSeq, type LineCounter, type Node } from 'yaml';

/** Finds the number of the line of a key of a file, from 1; undefined where there is none. */
export type LineOf = (path: string) => number | undefined;

/**
 * Returns a function that finds the line of a key of a configuration file.
 * @param contents of the file, as the parser gives them
 * @param counter of its lines
 * @returns takes a path such as `accounts[0].teams[1].members`, and gives the number of the line of the key
 *   or the item, from 1; where it is not there, that of the nearest around it; undefined where there is none
 */
export function fileLines(contents: Node | null, counter: LineCounter): LineOf {
  return (path) => {
    let node: Node | null | undefined = contents;
    let at: number | undefined;
    for (const [, key, index] of path.matchAll(/([^.[\]]+)|\[(\d+)\]/g)) {
      const found: Place | undefined =
        index === undefined ? pairOf(node, key ?? '') : itemOf(node, Number(index));
      if (found === undefined) break;
      at = found.at;
      node = isAlias(found.value) ? undefined : found.value;
    }
    return at === undefined ? undefined : counter.linePos(at).line;
  };
}

/** Where a key or an item begins, and what is behind it. */
interface Place {
  readonly at: number | undefined;
  readonly value: Node | null | undefined;
}

function pairOf(node: Node | null | undefined, key: string): Place | undefined {
  if (!isMap(node)) return undefined;
  const pair = node.items.find((each) => isScalar(each.key) && String(each.key.value) === key);
  return pair && { at: (pair.key as Node).range?.[0], value: pair.value as Node | null };
}

function itemOf(node: Node | null | undefined, index: number): Place | undefined {
  const item = isSeq(node) ? (node.items[index] as Node | undefined) : undefined;
  return item && { at: item.range?.[0], value: item };
}
