import { isDeepStrictEqual } from 'node:util';
import { isPlainObject } from '../../text/is-plain-object.js';
import { namedItems, type NamedItem } from './named-items.js';

/** One value that a change replaces. Null stands for none. */
export interface ValueChange {
  /**
   * Keys from the object downwards, an item of a list by its name, or by its place where it has none:
   * `settings.rules[VIP].users`. With ` (order)` behind it: the names of the items in their order.
   */
  readonly path: string;
  readonly from: unknown;
  readonly to: unknown;
}

/**
 * Returns the values that differ between two forms of an object, compared as JSON. It looks into objects,
 * into lists of objects that have names, and into lists of as many objects as before; other lists are one
 * value.
 * @param before null for an object that is new
 */
export function valueChanges(before: object | null, after: object): ValueChange[] {
  // Most objects of a large file are as they were, and what is equal is equal as JSON too.
  if (isDeepStrictEqual(before, after)) return [];
  return keyChanges(toJson(before ?? {}), toJson(after), '');
}

type Json = Readonly<Record<string, unknown>>;

function keyChanges(before: Json, after: Json, prefix: string): ValueChange[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key) => changesAt(before[key] ?? null, after[key] ?? null, prefix + key));
}

function changesAt(from: unknown, to: unknown, path: string): ValueChange[] {
  if (isDeepStrictEqual(from, to)) return [];
  if (isPlainObject(from) && isPlainObject(to)) return keyChanges(from, to, `${path}.`);
  const lists = namedItems(from, to);
  if (lists !== undefined) return itemChanges(lists, path);
  if (!areObjects(from) || !areObjects(to) || from.length !== to.length) return [{ path, from, to }];
  return from.flatMap((item, index) => changesAt(item, to[index], `${path}[${index}]`));
}

function areObjects(value: unknown): value is readonly Json[] {
  return Array.isArray(value) && value.every(isPlainObject);
}

function itemChanges(
  { before, after }: { readonly before: readonly NamedItem[]; readonly after: readonly NamedItem[] },
  path: string,
): ValueChange[] {
  const present = new Map(before.map((item) => [item.key, item]));
  const wanted = new Set(after.map(({ key }) => key));
  const gone = before.filter(({ key }) => !wanted.has(key));
  const kept = before.filter(({ key }) => wanted.has(key));
  const added = after.filter(({ key }) => !present.has(key));
  const names = (items: readonly NamedItem[]): string[] => items.map(({ name }) => name);
  const keys = (items: readonly NamedItem[]): string[] => items.map(({ key }) => key);
  const isInOrder = isDeepStrictEqual(keys([...kept, ...added]), keys(after));
  return [
    ...gone.map(({ name, value }) => ({ path: `${path}[${name}]`, from: value, to: null })),
    ...after.flatMap(({ key, name, value }) =>
      changesAt(present.get(key)?.value ?? null, value, `${path}[${name}]`),
    ),
    ...(isInOrder ? [] : [{ path: `${path} (order)`, from: names(before), to: names(after) }]),
  ];
}

function toJson(value: object): Json {
  return JSON.parse(JSON.stringify(value)) as Json;
}
