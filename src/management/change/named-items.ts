import { isPlainObject } from '../../text/is-plain-object.js';

/** An item of a list that has a name. */
export interface NamedItem {
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
export function namedItems(
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
