import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import type { Queryable, Statement, Transaction } from '../../database/index.js';
import { decodeRotationState, ROUTER_ROTATION_KEY, type RotationState } from '../../engine/index.js';
import type { StoredRecord } from '../../records/index.js';
import * as statements from './dispatch.statements.js';

/**
 * The most bytes that the fields of the large records of one transaction have together as JSON text, and
 * those of its other records. A single record may have more.
 */
const PART_BYTES = 8 * 1024 * 1024;

/** More bytes than any record has. */
const ANY_SIZE = 2 ** 31 - 1;

/** Routers and records of their account. */
export interface DispatchKeys {
  readonly routerIds: readonly string[];
  readonly objectIds: readonly string[];
  /** Names of fields that need not be read. */
  readonly unread: readonly string[];
}

/** The state that decisions are based on. */
export interface DispatchRows {
  /** The account's configuration version. */
  readonly version: string;
  /**
   * The objects that were read: the first of those requested, at least one. The others are left for another
   * transaction, because the records are too large together.
   */
  readonly objectIds: readonly string[];
  /** The records of these that exist, by id. */
  readonly records: ReadonlyMap<string, StoredRecord>;
  /** Each router's own rotation. */
  readonly rotations: ReadonlyMap<string, RotationState>;
  /** The database's clock, later than every change that was read. */
  readonly at: Date;
}

type Row = { [K in keyof StoredRecord]: StoredRecord[K] | null } & {
  config_version: string;
  /** States by router; null in all rows but one, and where no router has given a turn. */
  rotations: Readonly<Record<string, unknown>> | null;
  at: Date;
};

/** The statement for one record as it is, and that for others. */
type ReadStatement = Readonly<Record<'whole' | 'part', Statement>>;

type LargeRow = Pick<Row, 'id' | 'fields'>;

/** Reads what dispatches are decided on. */
@Injectable()
export class DispatchRepository {
  /** Locks records and reads a part of them. @returns undefined for an account that does not exist */
  readAndLock(
    tx: Transaction,
    account: AccountContext,
    keys: DispatchKeys,
  ): Promise<DispatchRows | undefined> {
    return this.readPart(tx, account, { ...keys, statement: statements.READ_AND_LOCK });
  }

  /** As `readAndLock`, without the records that somebody else has locked. */
  readAndTry(
    tx: Transaction,
    account: AccountContext,
    keys: DispatchKeys,
  ): Promise<DispatchRows | undefined> {
    return this.readPart(tx, account, { ...keys, statement: statements.READ_AND_TRY });
  }

  /** Returns the ids of those of the objects that exist. */
  async readExisting(
    tx: Transaction,
    { accountId }: AccountContext,
    objectIds: readonly string[],
  ): Promise<ReadonlySet<string>> {
    const rows = await tx.query<{ id: string }>(statements.READ_EXISTING, [accountId, objectIds]);
    return new Set(rows.map(({ id }) => id));
  }

  /** As `readAndLock`, without row locks. */
  readOnly(db: Queryable, account: AccountContext, keys: DispatchKeys): Promise<DispatchRows | undefined> {
    return this.readPart(db, account, { ...keys, statement: statements.READ_ONLY });
  }

  /** Reads with one statement, and with a second one where records are large. */
  private async readPart(
    db: Queryable,
    { accountId }: AccountContext,
    { statement, ...asked }: DispatchKeys & { readonly statement: ReadStatement },
  ): Promise<DispatchRows | undefined> {
    const { objectIds, routerIds, unread } = asked;
    const keys = [accountId, objectIds, routerIds];
    const isOne = objectIds.length <= 1;
    if (isOne && unread.length === 0) return rowsOf(await db.query<Row>(statement.whole, keys), asked);
    const most = isOne ? ANY_SIZE : Math.floor(PART_BYTES / objectIds.length);
    const rows = await db.query<Row>(statement.part, [...keys, most, unread]);
    const large = new Set(rows.flatMap(({ id, fields }) => (id === null || fields !== null ? [] : [id])));
    if (large.size === 0) return rowsOf(rows, asked);
    const ids = objectIds.filter((id) => large.has(id));
    const read = await db.query<LargeRow>(statements.READ_LARGE, [accountId, ids, PART_BYTES, unread]);
    const fields = new Map(read.map((row) => [row.id, row.fields]));
    const end = objectIds.findIndex((id) => large.has(id) && (fields.get(id) ?? null) === null);
    return rowsOf(
      rows.map((row) => ({ ...row, fields: row.fields ?? fields.get(row.id ?? '') ?? null })),
      end === -1 ? asked : { ...asked, objectIds: objectIds.slice(0, end) },
    );
  }
}

function rowsOf(
  rows: readonly Row[],
  { objectIds, routerIds }: Pick<DispatchKeys, 'objectIds' | 'routerIds'>,
): DispatchRows | undefined {
  const [first] = rows;
  if (first === undefined) return undefined;
  const records = rows.flatMap(({ config_version: _, rotations: __, at: ___, ...record }) =>
    record.fields === null ? [] : [record as StoredRecord],
  );
  const states = rows.find(({ rotations }) => rotations !== null)?.rotations ?? {};
  return {
    version: first.config_version,
    objectIds,
    records: new Map(records.map((record) => [record.id, record])),
    rotations: new Map(
      routerIds.map((routerId) => [routerId, decodeRotationState(states[routerId], ROUTER_ROTATION_KEY)]),
    ),
    // The clock of a row is read after its record is locked. Only the latest clock is later than every change
    // read.
    at: rows.reduce((latest, { at }) => (at > latest ? at : latest), first.at),
  };
}
