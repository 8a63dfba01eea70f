/** What two people have made of a value. */
export interface Versions {
  base: unknown;
  mine: unknown;
  theirs: unknown;
}

type Entry = Record<string, unknown>;
type Entries = ReadonlyMap<string, Entry>;

export const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/**
 * Makes one value of two, where each person has changed another part of it: of a list whose entries have ids
 * or names, other entries, or other keys of one. Undefined where both have changed the same.
 */
export function merged({ base, mine, theirs }: Versions): { value: unknown } | undefined {
  if (isSame(mine, theirs) || isSame(base, theirs)) return { value: mine };
  if (isSame(base, mine)) return { value: theirs };
  const [was, here, there] = [keyed(base), keyed(mine), keyed(theirs)];
  return was && here && there && mergedLists(was, here, there);
}

/** The entries of a list by what names each; undefined where something names none. */
export function keyed(list: unknown): Entries | undefined {
  if (!Array.isArray(list)) return undefined;
  const entries = new Map<string, Entry>();
  for (const entry of list as (Entry | null)[]) {
    const { id, name } = Object(entry) as Entry;
    const key = typeof id === 'string' ? `#${id}` : typeof name === 'string' ? name : undefined;
    if (key === undefined || entry === null || entries.has(key)) return undefined;
    entries.set(key, entry);
  }
  return entries;
}

function mergedLists(was: Entries, here: Entries, there: Entries): { value: unknown } | undefined {
  const order = mergedOrder(was, here, there);
  if (order === undefined) return undefined;
  const list: Entry[] = [];
  for (const key of new Set([...order, ...was.keys()])) {
    const entry = mergedEntry(key, { base: was.get(key), mine: here.get(key), theirs: there.get(key) });
    if (entry === undefined) return undefined;
    if (entry.value !== undefined) list.push(entry.value);
  }
  return { value: list };
}

/** @returns an entry, or that there is none any more; undefined where both have changed the same */
function mergedEntry(
  key: string,
  { base, mine, theirs }: Record<keyof Versions, Entry | undefined>,
): { value: Entry | undefined } | undefined {
  // Without an id, both may have given it another name.
  if (mine === undefined && theirs === undefined)
    return key.startsWith('#') ? { value: undefined } : undefined;
  if (isSame(mine, theirs) || isSame(base, theirs)) return { value: mine };
  if (isSame(base, mine)) return { value: theirs };
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
