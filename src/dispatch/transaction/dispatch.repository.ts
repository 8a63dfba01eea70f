import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import type { Queryable, Transaction } from '../../database/index.js';
import { OBJECT_TYPE_RULES, type ObjectType } from '../../fields/index.js';
import type { StoredRecord } from '../decision/stored-record.js';
import * as statements from './dispatch.statements.js';

/** What decisions are made on. */
export interface LoadedDispatch {
  /** The account's configuration version. */
  readonly version: string;
  /** Those of the records asked for that exist, by id. */
  readonly records: ReadonlyMap<string, StoredRecord>;
  /** The encoded state of the router's own rotation; null for a router that never assigned. */
  readonly rotation: unknown;
  readonly at: Date;
}

/** The company of a host. */
export interface HostCompany {
  readonly host: string;
  readonly id: string;
  /** E-mail of its owner. */
  readonly owner: string | null;
}

/** One run for the log. */
export interface Run {
  readonly object_id: string;
  /** E-mail of the new owner; null when no one was assigned. */
  readonly user: string | null;
  readonly previous_user: string | null;
  readonly reason: string;
  readonly message: string;
  readonly trace: unknown;
  /** The turn that a rotation gave; null where none moved. */
  readonly turn: { readonly scope: string; readonly team: string | null } | null;
}

/** Runs of one router that were decided one after the other. */
export interface Runs {
  readonly routerId: string;
  readonly objectType: ObjectType;
  readonly ownerField: string;
  readonly runs: readonly Run[];
  /** The rotations that moved: their key and encoded state. */
  readonly rotations: readonly { readonly key: string; readonly state: unknown }[];
  readonly at: Date;
}

type Row = { [K in keyof StoredRecord]: StoredRecord[K] | null } & {
  config_version: string;
  rotation: unknown;
  at: Date;
};

/** What dispatches read and write. */
@Injectable()
export class DispatchRepository {
  /** Waits for its turn at the router, and keeps the account's configuration as it is until the transaction ends. */
  async lockRouter(tx: Transaction, { accountId }: AccountContext, routerId: string): Promise<void> {
    await tx.query(statements.LOCK_ROUTER, [accountId, routerId]);
  }

  /** Reads and locks records; undefined for an account that is gone. */
  load(
    tx: Transaction,
    account: AccountContext,
    routerId: string,
    objectIds: readonly string[],
  ): Promise<LoadedDispatch | undefined> {
    return this.read(tx, statements.LOAD_DISPATCH, account, routerId, objectIds);
  }

  /** As `load`, without locks: for a look that changes nothing. */
  peek(
    db: Queryable,
    account: AccountContext,
    routerId: string,
    objectIds: readonly string[],
  ): Promise<LoadedDispatch | undefined> {
    return this.read(db, statements.PEEK_DISPATCH, account, routerId, objectIds);
  }

  /** The encoded states of rotations by key; a key that never gave a turn is missing. */
  async loadRotations(
    db: Queryable,
    { accountId }: AccountContext,
    routerId: string,
    keys: readonly string[],
  ): Promise<ReadonlyMap<string, unknown>> {
    if (keys.length === 0) return new Map();
    const values = [accountId, routerId, keys];
    const rows = await db.query<{ key: string; state: unknown }>(statements.LOAD_ROTATIONS, values);
    return new Map(rows.map(({ key, state }) => [key, state]));
  }

  /** The active companies of canonical hosts. */
  findCompanies(
    db: Queryable,
    { accountId }: AccountContext,
    hosts: readonly string[],
  ): Promise<HostCompany[]> {
    return db.query<HostCompany>(statements.FIND_COMPANIES, [accountId, hosts]);
  }

  /**
   * Gives records their new owners, moves the rotations and logs the runs, in one statement, and commits.
   * @returns the ids of the log entries by record
   */
  async write(
    tx: Transaction,
    { accountId }: AccountContext,
    { routerId, objectType, ownerField, runs, rotations, at }: Runs,
  ): Promise<ReadonlyMap<string, string>> {
    const rows = await tx.queryLast<{ id: string; object_id: string }>(statements.WRITE_RUNS, [
      accountId,
      routerId,
      objectType,
      ownerField,
      JSON.stringify(runs.map((run, n) => ({ n, ...run }))),
      at,
      JSON.stringify(rotations),
      OBJECT_TYPE_RULES[objectType].ownerField === ownerField,
      runs.map(({ object_id }) => object_id),
    ]);
    return new Map(rows.map(({ id, object_id }) => [object_id, id]));
  }

  private async read(
    db: Queryable,
    statement: typeof statements.LOAD_DISPATCH,
    { accountId }: AccountContext,
    routerId: string,
    objectIds: readonly string[],
  ): Promise<LoadedDispatch | undefined> {
    const rows = await db.query<Row>(statement, [accountId, objectIds, routerId]);
    const [first] = rows;
    if (first === undefined) return undefined;
    const records = rows.flatMap(({ id, object_type, fields, archived_at, created_at, updated_at }) =>
      id === null ? [] : [{ id, object_type, fields, archived_at, created_at, updated_at } as StoredRecord],
    );
    return {
      version: first.config_version,
      records: new Map(records.map((record) => [record.id, record])),
      rotation: rows.find(({ rotation }) => rotation !== null)?.rotation ?? null,
      // Each row has the clock as of its record's lock, and only the last lock is later than every change seen.
      at: rows.reduce((latest, { at }) => (at > latest ? at : latest), first.at),
    };
  }
}
