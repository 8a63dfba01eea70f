import type { CatalogSequence, CatalogTable } from './catalog.js';
import { nameOf, type DumpedSequence, type DumpedTable } from './dump-format.js';

/** What a dump and the database have of one kind. */
interface Sides<Dumped, Found> {
  readonly dumped: readonly Dumped[];
  readonly found: readonly Found[];
  /** Names in SQL of those of the database that need not be in the dump. */
  readonly foreign: ReadonlySet<string>;
}

/**
 * Returns the tables of the database in the order of the dump.
 * @throws Error naming one that only the database or only the dump has, or whose columns differ
 */
export function matchTables(sides: Sides<DumpedTable, CatalogTable>): CatalogTable[] {
  return matched('table', sides).map(([table, match]) => {
    const [wanted, there] = [table, match].map(({ columns }) => [...columns].sort().join(', '));
    if (wanted === there) return { ...match, columns: table.columns };
    throw new Error(`The table ${nameOf(table)} has the columns ${there}, and in the dump ${wanted}`);
  });
}

/**
 * Returns the sequences of the database with their state in the dump.
 * @throws Error naming one that only the database or only the dump has
 */
export function matchSequences(sides: Sides<DumpedSequence, CatalogSequence>): CatalogSequence[] {
  const pairs = matched('sequence', sides);
  return pairs.map(([{ value, isCalled }, match]) => ({ ...match, value, isCalled }));
}

function matched<
  Dumped extends Pick<DumpedTable, 'name' | 'schema'>,
  Found extends Pick<CatalogTable, 'name' | 'schema' | 'sql'>,
>(kind: string, { dumped, found, foreign }: Sides<Dumped, Found>): [Dumped, Found][] {
  const names = new Set(dumped.map(nameOf));
  const lacking = found.find((each) => !names.has(nameOf(each)) && !foreign.has(each.sql));
  if (lacking) throw new Error(`The dump lacks the ${kind} ${nameOf(lacking)}, which the database has`);
  const byName = new Map(found.map((each) => [nameOf(each), each]));
  return dumped.map((each) => {
    const match = byName.get(nameOf(each));
    if (!match) throw new Error(`The database has no ${kind} ${nameOf(each)}, which the dump holds`);
    return [each, match];
  });
}
