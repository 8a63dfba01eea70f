import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import { LogGrowth } from '../../assignments/index.js';
import type { FindWritten, Queryable, Statement, Transaction } from '../../database/index.js';
import {
  decodeRotationState,
  encodeRotationState,
  ROUTER_ROTATION_KEY,
  type RotationState,
} from '../../engine/index.js';
import { OBJECT_TYPE_RULES } from '../../fields/index.js';
import type { StoredRecord } from '../../records/index.js';
import type { Decided, Decisions } from '../decision/decider.js';
import type { RouterSnapshot } from '../snapshot/router-snapshot.js';
import * as statements from './dispatch.statements.js';

/**
 * The most bytes that the fields of the large records of one transaction have together as JSON text, and
 * those of its other records. A single record may have more.
 */
const PART_BYTES = 8 * 1024 * 1024;

/** More bytes than any record has. */
const ANY_SIZE = 2 ** 31 - 1;

/** A router and records of its account. */
export interface DispatchKeys {
  readonly routerId: string;
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
  /** The router's own rotation. */
  readonly rotation: RotationState;
  /** The database's clock, later than every change that was read. */
  readonly at: Date;
}

type Row = { [K in keyof StoredRecord]: StoredRecord[K] | null } & {
  config_version: string;
  rotation: unknown;
  at: Date;
};

/** The statement for one record as it is, and that for others. */
type ReadStatement = Readonly<Record<'whole' | 'part', Statement>>;

type LargeRow = Pick<Row, 'id' | 'fields'>;

/** An assignment in the log. */
interface WrittenRow {
  readonly id: string;
  readonly object_id: string;
}

/** Reads and writes the data of dispatches. */
@Injectable()
export class DispatchRepository {
  constructor(private readonly growth: LogGrowth) {}

  /**
   * Waits for the router's lock. Keeps the account's configuration from changing until the transaction ends.
   */
  async lockRouter(tx: Transaction, { accountId }: AccountContext, routerId: string): Promise<void> {
    const [row] = await tx.query<{ xid: string }>(statements.LOCK_ROUTER, [accountId, routerId]);
    if (row !== undefined) tx.identify(row.xid);
  }

  /** Keeps other routers' dispatches from changing the counts of these users until the transaction ends. */
  async lockUsers(tx: Transaction, { accountId }: AccountContext, emails: readonly string[]): Promise<void> {
    await tx.query(statements.LOCK_USERS, [accountId, emails]);
  }

  /** Locks records and reads a part of them. Returns undefined for an account that does not exist. */
  readAndLock(
    tx: Transaction,
    account: AccountContext,
    keys: DispatchKeys,
  ): Promise<DispatchRows | undefined> {
    return this.readPart(tx, account, { ...keys, statement: statements.READ_AND_LOCK });
  }

  /** As `readAndLock`, without row locks. */
  readOnly(db: Queryable, account: AccountContext, keys: DispatchKeys): Promise<DispatchRows | undefined> {
    return this.readPart(db, account, { ...keys, statement: statements.READ_ONLY });
  }

  /** Reads with one statement, and with a second one where records are large. */
  private async readPart(
    db: Queryable,
    { accountId }: AccountContext,
    { objectIds, routerId, unread, statement }: DispatchKeys & { readonly statement: ReadStatement },
  ): Promise<DispatchRows | undefined> {
    const keys = [accountId, objectIds, routerId];
    const isOne = objectIds.length <= 1;
    if (isOne && unread.length === 0) return rowsOf(await db.query<Row>(statement.whole, keys), objectIds);
    const most = isOne ? ANY_SIZE : Math.floor(PART_BYTES / objectIds.length);
    const rows = await db.query<Row>(statement.part, [...keys, most, unread]);
    const large = new Set(rows.flatMap(({ id, fields }) => (id === null || fields !== null ? [] : [id])));
    if (large.size === 0) return rowsOf(rows, objectIds);
    const ids = objectIds.filter((id) => large.has(id));
    const read = await db.query<LargeRow>(statements.READ_LARGE, [accountId, ids, PART_BYTES, unread]);
    const fields = new Map(read.map((row) => [row.id, row.fields]));
    const end = objectIds.findIndex((id) => large.has(id) && (fields.get(id) ?? null) === null);
    return rowsOf(
      rows.map((row) => ({ ...row, fields: row.fields ?? fields.get(row.id ?? '') ?? null })),
      end === -1 ? objectIds : objectIds.slice(0, end),
    );
  }

  /**
   * Writes the new owners, the rotations and the assignments in one statement.
   * @param options.commit sends COMMIT directly after it: no other statement can follow in the transaction
   * @returns the ids of the assignments by record
   */
  async write(
    tx: Transaction,
    snapshot: RouterSnapshot,
    { decided, rotations, at, commit }: Decisions & { readonly at: Date; readonly commit: boolean },
  ): Promise<ReadonlyMap<string, string>> {
    const { account, objectType, ownerField } = snapshot;
    const states = [...rotations].map(([key, state]) => ({ key, state: encodeRotationState(state, key) }));
    const values = [
      account.accountId,
      snapshot.id,
      objectType,
      ownerField,
      JSON.stringify(decided.map((one, n) => ({ n, ...newAssignment(one, ownerField) }))),
      at,
      JSON.stringify(states),
      OBJECT_TYPE_RULES[objectType].ownerField === ownerField,
      decided.map(({ record }) => record.id),
    ];
    const find: FindWritten<WrittenRow> = async (db, { xid }) => {
      const of = [account.accountId, snapshot.id, decided.map(({ record }) => record.id), at, xid];
      const found = await db.query<WrittenRow>(statements.FIND_WRITTEN, of);
      return found.length === decided.length ? found : undefined;
    };
    const rows = commit
      ? await tx.queryLast(statements.WRITE_ASSIGNMENTS, values, find)
      : await tx.query<WrittenRow>(statements.WRITE_ASSIGNMENTS, values);
    this.growth.note(account.accountId, rows.length);
    return new Map(rows.map(({ id, object_id }) => [object_id, id]));
  }
}

function rowsOf(rows: readonly Row[], objectIds: readonly string[]): DispatchRows | undefined {
  const [first] = rows;
  if (first === undefined) return undefined;
  const records = rows.flatMap(({ config_version: _, rotation: __, at: ___, ...record }) =>
    record.fields === null ? [] : [record as StoredRecord],
  );
  return {
    version: first.config_version,
    objectIds,
    records: new Map(records.map((record) => [record.id, record])),
    rotation: decodeRotationState(
      rows.find(({ rotation }) => rotation !== null)?.rotation,
      ROUTER_ROTATION_KEY,
    ),
    // The clock of a row is read after its record is locked. Only the latest clock is later than every change
    // read.
    at: rows.reduce((latest, { at }) => (at > latest ? at : latest), first.at),
  };
}

/** Returns an assignment in the JSON form that `newAssignments` reads. */
function newAssignment({ record: { id, fields }, decision }: Decided, ownerField: string): object {
  const { reason, message, trace } = decision;
  const user = decision.assigned ? decision.user : null;
  const given = decision.assigned ? decision.turn : null;
  const turn = given === null ? null : { scope: given.rotationKey, team: given.team };
  return { object_id: id, user, previous_user: fields[ownerField] ?? null, reason, message, trace, turn };
}
