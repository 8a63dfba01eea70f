import { follow, type Followed, type Named } from '../model/follow';

/** What two people have made of a value. */
export interface Versions {
  base: unknown;
  mine: unknown;
  theirs: unknown;
}

type Entry = Named & Record<string, unknown>;
type Entries = ReadonlyMap<string, Entry>;

export function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b) && a.length === b.length)
    return a.every((each, index) => isSame(each, b[index]));
  return JSON.stringify(a) === JSON.stringify(b);
}

/**
 * Makes one value of two, where each person has changed another part of it: of a list whose entries have ids
 * or names, other entries, or other keys of one. Undefined where both have changed the same.
 */
export function merged({ base, mine, theirs }: Versions): { value: unknown } | undefined {
  const one = ofOne({ base, mine, theirs });
  if (one !== undefined) return one;
  const lists = keyed(base, [base, mine, theirs]);
  return lists && mergedLists(...(lists as [Entries, Entries, Entries]));
}

/** What stays where one of them has changed nothing, or both the same. */
function ofOne<T>({ base, mine, theirs }: Record<keyof Versions, T>): { value: T } | undefined {
  if (isSame(mine, theirs) || isSame(base, theirs)) return { value: mine };
  return isSame(base, mine) ? { value: theirs } : undefined;
}

/**
 * Lists that were made of another one, by keys: an entry has the same in all, whatever it is called there.
 * Undefined where something names no entry.
 */
export function keyed(base: unknown, lists: readonly unknown[]): Entries[] | undefined {
  if (![base, ...lists].every(areNamed)) return undefined;
  const was = follow(undefined, base as Entry[]);
  return (lists as Entry[][]).map((list) => entriesOf(follow(was, list), was.next));
}

function areNamed(list: unknown): boolean {
  if (!Array.isArray(list)) return false;
  const names = (list as (Entry | null)[]).map((entry) => entry?.id ?? entry?.name);
  return names.every((name) => typeof name === 'string') && new Set(names).size === names.length;
}

/** @param added the first key of what the base has not */
function entriesOf({ things, keys }: Followed<Entry>, added: number): Entries {
  return new Map(
    things.map((entry, place) => {
      const key = keys[place] ?? added;
      return [key < added ? `${key}` : `+${entry.id ?? entry.name}`, entry];
    }),
  );
}

function mergedLists(was: Entries, here: Entries, there: Entries): { value: unknown } | undefined {
  const order = mergedOrder(was, here, there);
  if (order === undefined) return undefined;
  const list: Entry[] = [];
  for (const key of new Set([...order, ...was.keys()])) {
    const entry = mergedEntry({ base: was.get(key), mine: here.get(key), theirs: there.get(key) });
    if (entry === undefined) return undefined;
    if (entry.value !== undefined) list.push(entry.value);
  }
  return { value: list };
}

/** @returns an entry, or that there is none any more; undefined where both have changed the same */
function mergedEntry(
  versions: Record<keyof Versions, Entry | undefined>,
): { value: Entry | undefined } | undefined {
  const whole = ofOne(versions);
  if (whole !== undefined) return whole;
  const { base, mine, theirs } = versions;
  if (base === undefined || mine === undefined || theirs === undefined) return undefined;
  const keys = new Set([base, theirs, mine].flatMap((entry) => Object.keys(entry)));
  const value: Entry = {};
  for (const each of keys) {
    const one = merged({ base: base[each], mine: mine[each], theirs: theirs[each] });
    if (one === undefined) return undefined;
    if (one.value !== undefined) value[each] = one.value;
  }
  return { value };
}

/** The order of one who has moved something, with what the other has added; undefined where both have. */
function mergedOrder(was: Entries, here: Entries, there: Entries): string[] | undefined {
  const of = (entries: Entries, ...others: Entries[]) =>
    [...entries.keys()].filter((key) => others.every((other) => other.has(key)));
  const hasMoved = (entries: Entries) => !isSame(of(was, entries), of(entries, was));
  if (hasMoved(here) && hasMoved(there) && !isSame(of(here, was, there), of(there, was, here)))
    return undefined;
  const [lead, other] = hasMoved(here) ? [here, there] : [there, here];
  const order = [...lead.keys()];
  let before = -1;
  for (const key of other.keys()) {
    if (!order.includes(key) && !was.has(key)) order.splice(before + 1, 0, key);
    if (order.includes(key)) before = order.indexOf(key);
  }
  return order;
}
