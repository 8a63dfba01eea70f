import { Injectable } from '@nestjs/common';
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

/** Where rows of a kind are: see `KindDeclaration`. */
interface Table {
  readonly entity: new () => ManagedRow;
  readonly keyColumn: string | undefined;
  readonly order: readonly string[];
}

interface OfTable {
  readonly table: Table;
}

/** Reads and writes the rows of any managed kind. */
@Injectable()
export class ManagedRepository<Row extends ManagedRow> {
  /** Returns a row, archived or not; null where the text is no id of one. */
  async find(
    db: EntityReader,
    { accountId }: AccountContext,
    { table, id }: OfTable & { readonly id: string },
  ): Promise<Row | null> {
    if (!isId(id)) return null;
    return db.repository(table.entity).findOneBy({ accountId, id }) as Promise<Row | null>;
  }

  /** Returns one page of rows in creation order. */
  page(
    db: EntityReader,
    { accountId }: AccountContext,
    {
      table: { entity, keyColumn },
      filter: { equal, ids, keys, begins },
      range: { archived, ...range },
    }: OfTable & { readonly filter: RowFilter; readonly range: IdRange & { readonly archived: boolean } },
  ): Promise<RowPage<Row>> {
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
  active(db: EntityReader, { accountId }: AccountContext, { entity, order }: Table): Promise<Row[]> {
    return db.repository(entity).find({
      where: { accountId, archivedAt: IsNull() },
      order: Object.fromEntries(order.map((column) => [column, 'ASC'])),
    }) as Promise<Row[]>;
  }

  /** Returns the rows that have one of some keys, archived or not, by creation; all without a column. */
  similar(
    db: EntityReader,
    { accountId }: AccountContext,
    { table: { entity, keyColumn }, keys }: OfTable & { readonly keys: readonly string[] },
  ): Promise<Row[]> {
    const where = { accountId, ...(keyColumn === undefined ? {} : { [keyColumn]: Any([...keys]) }) };
    return db.repository(entity).find({ where, order: { id: 'ASC' } }) as Promise<Row[]>;
  }

  /** Creates and replaces rows. @returns them as they are stored */
  async save(tx: Transaction, { entity }: Table, rows: readonly WrittenRow<Row>[]): Promise<Row[]> {
    const values = rows.map((row) => ({ ...row, createdAt: undefined, updatedAt: () => 'now()' }));
    // The statement returns the columns that have defaults, which TypeORM adds to the values.
    await inBatches(values, (batch) => tx.repository(entity).upsert(batch as object[], ['accountId', 'id']));
    return values as unknown as Row[];
  }
}
