import { isSame, keyed } from '../../../api/merge';

/** In what an entry of a list differs: its keys, or that it was added or removed. */
export interface EntryChange {
  name: string;
  what: 'added' | 'removed' | readonly string[];
}

/** In what a list of rules, steps or teams differs from another; undefined where something names no entry. */
export function listChanges(
  before: unknown,
  after: unknown,
): { entries: EntryChange[]; isMoved: boolean } | undefined {
  const [was, is] = keyed(before, [before, after]) ?? [];
  if (was === undefined || is === undefined) return undefined;
  const entries = [...new Set([...is.keys(), ...was.keys()])].flatMap((key): EntryChange[] => {
    const [one, other] = [was.get(key) ?? {}, is.get(key) ?? {}];
    const name = [other['name'], one['name']].find((each) => typeof each === 'string') ?? key;
    const keys = [...new Set([...Object.keys(one), ...Object.keys(other)])].filter(
      (each) => !isSame(one[each], other[each]),
    );
    const what = !was.has(key) ? 'added' : !is.has(key) ? 'removed' : keys;
    return keys.length === 0 ? [] : [{ name, what }];
  });
  const order = (of: typeof was, others: typeof was) => [...of.keys()].filter((key) => others.has(key));
  return { entries, isMoved: !isSame(order(was, is), order(is, was)) };
}
