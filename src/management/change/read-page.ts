import type { AccountContext } from '../../accounts/index.js';
import type { Database, EntityReader, IdRange, RowPage } from '../../database/index.js';
import { pageStart, rowPage, type Page } from '../../paging/index.js';
import type { ListRequest } from './list-request.js';

/** How the rows of a page are read and shown. */
interface PageReading<Row, View> {
  readonly read: (db: EntityReader, range: IdRange & { readonly archived: boolean }) => Promise<RowPage<Row>>;
  /** Returns the views of the rows, in their order. */
  readonly view: (rows: readonly Row[], db: EntityReader) => Promise<readonly View[]> | readonly View[];
}

/**
 * Reads one page of what an account manages, in creation order.
 * @throws DomainError 400 for a bad `after`, or one together with an offset
 */
export function readPage<Row, View extends { readonly id: string }>(
  { database, account }: { readonly database: Database; readonly account: AccountContext },
  { after, ...request }: ListRequest,
  { read, view }: PageReading<Row, View>,
): Promise<Page<View>> {
  const behind = pageStart(after, request.offset);
  return database.for(account).read(async (db) => {
    const found = await read(db, { ...request, behind });
    return rowPage(await view(found.rows, db), request, found);
  });
}
