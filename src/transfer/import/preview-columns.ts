import type { ClientContext } from '../../auth/index.js';
import type { ObjectType } from '../../fields/index.js';
import type { RecordMatcher } from '../../records/index.js';
import { resumed } from '../rows/beginning.js';
import type { Columns } from '../rows/columns.js';
import type { ReadRow, SourceRow } from '../rows/source-row.js';

/** What a column of a file becomes. */
export interface MappedColumn {
  /** Its heading; null for a field that --set sets. */
  readonly column: string | null;
  /** Null for a column that is ignored. */
  readonly field: string | null;
  /** What is stored of the first rows, or why it is not; empty where the field is not set. */
  readonly values: readonly string[];
}

/** Rows that are looked at, and those of them that are shown. */
const MOST = { read: 100, shown: 3 };

/** Says what the columns of a file become. @returns `rows`: all rows, those that were looked at included */
export async function previewColumns(
  { matcher, client }: { readonly matcher: RecordMatcher; readonly client: ClientContext },
  { objectType, columns }: { readonly objectType: ObjectType; readonly columns: Columns },
  source: AsyncIterable<SourceRow>,
): Promise<{ readonly mapping: readonly MappedColumn[]; readonly rows: AsyncIterable<SourceRow> }> {
  const iterator = source[Symbol.asyncIterator]();
  const first: SourceRow[] = [];
  const shown: ReadRow[] = [];
  while (first.length < MOST.read && shown.length < MOST.shown) {
    const next = await iterator.next();
    if (next.done === true) break;
    first.push(next.value);
    if (!('problem' in next.value)) shown.push(next.value);
  }
  const stored = await matcher.preview(client, objectType, shown);
  const valuesOf = (field: string): string[] =>
    shown.map(({ unread = [] }, index) => {
      const problem = unread.find((each) => each.field === field);
      return problem?.message ?? stored[index]?.get(field) ?? '';
    });
  const mapping = [...columns.met].map(([column, use]): MappedColumn => {
    if (typeof use === 'object') return { column, field: use.field, values: valuesOf(use.field) };
    if (use === 'id') return { column, field: use, values: shown.map(({ key }) => String(key)) };
    return { column, field: null, values: [] };
  });
  for (const field of columns.constants.keys())
    mapping.push({ column: null, field, values: valuesOf(field) });
  return { mapping, rows: resumed(first, iterator) };
}
