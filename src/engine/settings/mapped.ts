/** Returns an object with changed values; the same object where none changes. */
export function mapped<T extends Readonly<Record<string, unknown>>>(
  object: T,
  change: (value: unknown, key: string) => unknown,
): T {
  const entries = Object.entries(object).map(([key, value]) => [key, change(value, key)] as const);
  return entries.every(([key, value]) => value === object[key]) ? object : (Object.fromEntries(entries) as T);
}

/** Returns a list with changed items; the same list where none changes. */
export function mappedList(list: readonly unknown[], change: (item: unknown) => unknown): readonly unknown[] {
  const changed = list.map(change);
  return changed.every((item, index) => item === list[index]) ? list : changed;
}
