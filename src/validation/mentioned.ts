type Mentioned<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Removes the keys whose value is undefined, because what is not mentioned does not change. */
export function mentioned<T extends object>(values: T): Mentioned<T> {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined),
  ) as Mentioned<T>;
}
