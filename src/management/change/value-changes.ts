import { isDeepStrictEqual } from 'node:util';
import { isPlainObject } from '../../text/is-plain-object.js';

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
 * Returns the values that differ between two forms of an object, compared as JSON; null is before a new one.
 * It looks into objects, lists of objects that have names, and lists of as many objects as before.
 */
export function valueChanges(before: object | null, after: object): ValueChange[] {
  // Fast path: deep-equal values have no changes.
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
  if (!areObjects(from) || !areObjects(to)) return [{ path, from, to }];
  const key = KEYS.find((each) => areToldApart(from, each) && areToldApart(to, each));
  if (key !== undefined) return itemChanges(namedItems(from, key), namedItems(to, key), path);
  if (from.length !== to.length) return [{ path, from, to }];
  return from.flatMap((item, index) => changesAt(item, to[index], `${path}[${index}]`));
}

function areObjects(value: unknown): value is readonly Json[] {
  return Array.isArray(value) && value.every(isPlainObject);
}

/** The keys by which items are told apart, the strongest first: a rule keeps its id when it is renamed. */
const KEYS = ['id', 'internal_name', 'email', 'name'];

/** The items of a list by their keys, with what people call them. */
type NamedItems = ReadonlyMap<string, { readonly name: string; readonly value: unknown }>;

function areToldApart(list: readonly Json[], key: string): boolean {
  const texts = list.map((item) => textOf(item, key));
  return !texts.includes('') && new Set(texts).size === list.length;
}

function namedItems(list: readonly Json[], key: string): NamedItems {
  return new Map(
    list.map((value) => {
      const found = textOf(value, key);
      return [found, { name: textOf(value, 'name') || found, value }];
    }),
  );
}

function itemChanges(before: NamedItems, after: NamedItems, path: string): ValueChange[] {
  const gone = [...before].filter(([key]) => !after.has(key));
  const kept = [...before.keys()].filter((key) => after.has(key));
  const added = [...after.keys()].filter((key) => !before.has(key));
  const names = (items: NamedItems): string[] => [...items.values()].map(({ name }) => name);
  const isInOrder = isDeepStrictEqual([...kept, ...added], [...after.keys()]);
  return [
    ...gone.map(([, { name, value }]) => ({ path: `${path}[${name}]`, from: value, to: null })),
    ...[...after].flatMap(([key, { name, value }]) =>
      changesAt(before.get(key)?.value ?? null, value, `${path}[${name}]`),
    ),
    ...(isInOrder ? [] : [{ path: `${path} (order)`, from: names(before), to: names(after) }]),
  ];
}

function toJson(value: object): Json {
  return JSON.parse(JSON.stringify(value)) as Json;
}

/** Returns the text that a key has; an empty one for any other value. */
function textOf(item: Json, key: string): string {
  const value = item[key];
  return typeof value === 'string' ? value : '';
}
