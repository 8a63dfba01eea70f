/** Longest name that is compared: the known ones are shorter. */
const MAX_LENGTH = 60;

/** Returns how many characters one may change in a name to come to another. */
function tolerance(name: string): number {
  return name.length < 4 ? 1 : name.length < 8 ? 2 : 3;
}

/**
 * Returns the known name that somebody may have meant who wrote another; undefined where none is near. Upper
 * and lower case are the same.
 */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  if (name.length > MAX_LENGTH) return undefined;
  let nearest: string | undefined;
  let least = tolerance(name) + 1;
  for (const each of known) {
    const distance = distanceOf(name.toLowerCase(), each.toLowerCase());
    // A short name is near to every other one.
    if (distance < least && distance < each.length / 2) [nearest, least] = [each, distance];
  }
  return nearest;
}

/** Returns ` (did you mean …?)` with the nearest known name, to end a message; nothing where none is near. */
export function didYouMean(name: string, known: Iterable<string>): string {
  const nearest = nearestName(name, known);
  return nearest === undefined ? '' : ` (did you mean ${nearest}?)`;
}

/** The least number of characters to insert, remove, replace or swap with the next one. */
function distanceOf(from: string, to: string): number {
  let before: number[] = [];
  let above = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const [a, b] = [from[row - 1], to[column - 1]];
      const replaced = at(above, column - 1) + (a === b ? 0 : 1);
      const moved = Math.min(replaced, at(above, column) + 1, at(current, column - 1) + 1);
      const isSwap = row > 1 && column > 1 && a === to[column - 2] && from[row - 2] === b;
      current.push(isSwap ? Math.min(moved, at(before, column - 2) + 1) : moved);
    }
    [before, above] = [above, current];
  }
  return at(above, to.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Infinity;
}
