/** The things of a list, each with a key that stays with it. */
export interface Followed<T> {
  things: readonly T[];
  keys: readonly number[];
  /** The next key: none is given twice. */
  next: number;
}

/** What may have an id or a name: a rule, a step. */
export interface Named {
  id?: string | undefined;
  name?: string | undefined;
}

type IsSame = (one: Named, other: Named, inPlace: boolean) => boolean;

/** When a thing is one of before that is another object, the surest first. */
const SAME: readonly IsSame[] = [
  (one, other) => one.id !== undefined && one.id === other.id,
  // What has no id may get one.
  (one, other) =>
    one.name !== undefined && one.name === other.name && (one.id === undefined || other.id === undefined),
  (one, other) => JSON.stringify({ ...one, name: '' }) === JSON.stringify({ ...other, name: '' }),
  (one, other, inPlace) => inPlace && one.id === other.id,
];

/**
 * Gives the things of a list the keys that they had before it was changed: what is the same thing, or has the
 * same id or name, or nothing but another name, or the same place in a list of the same length.
 */
export function follow<T extends Named>(before: Followed<T> | undefined, things: readonly T[]): Followed<T> {
  const { things: were = [], keys: had = [], next = 0 } = before ?? {};
  const keys = new Map<number, number | undefined>();
  const taken = new Set<number>();
  const take = (place: number, from: number | undefined) => {
    if (from === undefined || from < 0 || taken.has(from)) return;
    taken.add(from);
    keys.set(place, had[from]);
  };
  // Of a long list nearly all are the same objects.
  const known = new Map(were.map((thing, index) => [thing, index]));
  things.forEach((thing, place) => take(place, known.get(thing)));
  for (const isSame of SAME) {
    things.forEach((thing, place) => {
      if (keys.has(place)) return;
      const inPlace = were.length === things.length ? place : -1;
      const from = were.findIndex((one, index) => !taken.has(index) && isSame(thing, one, index === inPlace));
      take(place, from);
    });
  }
  let free = next;
  return { things, keys: things.map((_, place) => keys.get(place) ?? free++), next: free };
}
