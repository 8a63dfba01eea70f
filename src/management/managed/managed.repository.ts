import { Any, IsNull, type FindOptionsWhere } from 'typeorm';
import type { AccountContext } from '../../accounts/index.js';
import {
  beginsWith,
  inBatches,
  isId,
  pageById,
  type EntityReader,
  type IdRange,
  type RowPage,
  type Transaction,
} from '../../database/index.js';

/** What each row of a managed kind has. */
export interface ManagedRow {
  accountId: string;
  id: string;
  createdAt: Date;
  updatedAt: Date;
  archivedAt: Date | null;
}

/** A row as it is to be stored. What it leaves out has the default of the table. */
export type WrittenRow<Row> = Omit<Row, 'createdAt' | 'updatedAt'>;

/** Selects rows of a list; any unless given. */
export interface RowFilter {
  /** Values of columns. */
  readonly equal?: object;
  readonly ids?: Iterable<string>;
  /** Of the key column. */
  readonly keys?: readonly string[];
  /** What a word of one of the columns begins with. */
  readonly begins?: { readonly q: string; readonly columns: readonly string[] };
}

/** Reads and writes the rows of one managed kind. */
export class ManagedRepository<Row extends ManagedRow> {
  /** @param table where they are: see `KindDeclaration` */
  constructor(
    private readonly table: {
      readonly entity: new () => ManagedRow;
      readonly keyColumn: string | undefined;
      readonly order: readonly string[];
    },
  ) {}

  /** Returns a row, archived or not; null where the text is no id of one. */
  async find(db: EntityReader, { accountId }: AccountContext, id: string): Promise<Row | null> {
    if (!isId(id)) return null;
    return db.repository(this.table.entity).findOneBy({ accountId, id }) as Promise<Row | null>;
  }

  /** Returns one page of rows in creation order. */
  page(
    db: EntityReader,
    { accountId }: AccountContext,
    {
      filter: { equal, ids, keys, begins },
      range: { archived, ...range },
    }: { readonly filter: RowFilter; readonly range: IdRange & { readonly archived: boolean } },
  ): Promise<RowPage<Row>> {
    const { entity, keyColumn } = this.table;
    const all: FindOptionsWhere<ManagedRow> = {
      accountId,
      ...equal,
      ...(archived ? {} : { archivedAt: IsNull() }),
      ...(ids === undefined ? {} : { id: Any([...ids]) }),
      ...(keys === undefined || keyColumn === undefined ? {} : { [keyColumn]: Any([...keys]) }),
    };
    const where = begins?.columns.map((column) => ({ ...all, [column]: beginsWith(begins.q) }));
    return pageById(db.repository(entity), where ?? all, range) as Promise<RowPage<Row>>;
  }

  /** Returns the active rows. */
  active(db: EntityReader, { accountId }: AccountContext): Promise<Row[]> {
    const { entity, order } = this.table;
    return db.repository(entity).find({
      where: { accountId, archivedAt: IsNull() },
      order: Object.fromEntries(order.map((column) => [column, 'ASC'])),
    }) as Promise<Row[]>;
  }

  /** Returns the rows that have one of some keys, archived or not, by creation; all without a column. */
  similar(db: EntityReader, { accountId }: AccountContext, keys: readonly string[]): Promise<Row[]> {
    const { entity, keyColumn } = this.table;
    const where = { accountId, ...(keyColumn === undefined ? {} : { [keyColumn]: Any([...keys]) }) };
    return db.repository(entity).find({ where, order: { id: 'ASC' } }) as Promise<Row[]>;
  }

  /** Creates and replaces rows. @returns them as they are stored */
  async save(tx: Transaction, rows: readonly WrittenRow<Row>[]): Promise<Row[]> {
    const values = rows.map((row) => ({ ...row, createdAt: undefined, updatedAt: () => 'now()' }));
    const repository = tx.repository(this.table.entity);
    // The statement returns the columns that have defaults, which TypeORM adds to the values.
    await inBatches(values, (batch) => repository.upsert(batch as object[], ['accountId', 'id']));
    return values as unknown as Row[];
  }
}
