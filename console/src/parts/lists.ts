/** A list with one thing moved to another place. */
export function moved<T>(list: readonly T[], from: number, to: number): T[] {
  const rest = list.filter((_, index) => index !== from);
  const thing = list[from];
  return thing === undefined ? [...list] : [...rest.slice(0, to), thing, ...rest.slice(to)];
}

/** A list with one thing replaced; removed, where it is undefined. */
export function replaced<T>(list: readonly T[], place: number, thing: T | undefined): T[] {
  return list.flatMap((one, index) => (index !== place ? [one] : thing === undefined ? [] : [thing]));
}
