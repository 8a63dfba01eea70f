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
 * Returns the values that differ between two forms of an object, compared as JSON. It looks into objects,
 * into lists of objects that have names, and into lists of as many objects as before; other lists are one
 * value.
 * @param before null for an object that is new
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

/** An item of a list that has a name. */
interface NamedItem {
  /** By which the item is found in another form of the list. */
  readonly key: string;
  /** What people call it. */
  readonly name: string;
  readonly value: unknown;
}

/** The keys by which items are told apart, the strongest first: a rule keeps its id when it is renamed. */
const KEYS = ['id', 'internal_name', 'email', 'name'];

/**
 * Returns the items of two forms of a list, where all of them have names.
 * @returns undefined where one is no list, or an item has no name or that of another
 */
function namedItems(
  before: unknown,
  after: unknown,
): { readonly before: NamedItem[]; readonly after: NamedItem[] } | undefined {
  if (!Array.isArray(before) || !Array.isArray(after)) return undefined;
  const lists: readonly (readonly unknown[])[] = [before, after];
  const key = KEYS.find((each) => lists.every((list) => areToldApart(list, each)));
  if (key === undefined) return undefined;
  const named = (list: readonly unknown[]): NamedItem[] => list.map((value) => namedItem(value, key));
  return { before: named(before), after: named(after) };
}

function namedItem(value: unknown, key: string): NamedItem {
  const found = textOf(value, key) ?? '';
  return { key: found, name: textOf(value, 'name') ?? found, value };
}

function areToldApart(list: readonly unknown[], key: string): boolean {
  const texts = list.flatMap((item) => textOf(item, key) ?? []);
  return texts.length === list.length && new Set(texts).size === list.length;
}

function textOf(item: unknown, key: string): string | undefined {
  const value = isPlainObject(item) ? item[key] : undefined;
  return typeof value === 'string' && value !== '' ? value : undefined;
}
