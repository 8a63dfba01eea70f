/** A table, by its id, and the tables whose rows its own rows refer to. */
export interface TableReferences {
  readonly oid: string;
  readonly refersTo: readonly string[];
}

/**
 * Returns the tables so that each comes after those that it refers to; itself does not count.
 * @returns the tables of a circle of references instead, where there is one
 */
export function orderTables<T extends TableReferences>(
  tables: readonly T[],
): { readonly ordered: readonly T[] } | { readonly circle: readonly T[] } {
  const ordered = new Set<T>();
  let waiting = [...tables];
  while (waiting.length > 0) {
    const awaited = new Set(waiting.map(({ oid }) => oid));
    const ready = waiting.filter(({ oid, refersTo }) =>
      refersTo.every((id) => id === oid || !awaited.has(id)),
    );
    if (ready.length === 0) return { circle: waiting };
    for (const table of ready) ordered.add(table);
    waiting = waiting.filter((table) => !ordered.has(table));
  }
  return { ordered: [...ordered] };
}
