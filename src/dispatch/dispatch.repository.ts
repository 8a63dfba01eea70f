import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../accounts/index.js';
import type { Transaction } from '../database/index.js';
import type { ObjectType } from '../fields/index.js';
import * as statements from './dispatch.statements.js';

/** The record of a dispatch, locked. */
export interface DispatchRecord {
  readonly id: string;
  readonly object_type: ObjectType;
  readonly fields: Readonly<Record<string, string>>;
  readonly archived_at: Date | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

/** What a dispatch decides on. */
export interface LoadedDispatch {
  readonly version: string;
  readonly record: DispatchRecord | undefined;
  /** The encoded rotation state; null for a router that never assigned. */
  readonly rotation: unknown;
  readonly at: Date;
}

/** One run for the log. */
export interface Run {
  readonly routerId: string;
  readonly record: DispatchRecord;
  readonly user: string | null;
  readonly previousUser: string | null;
  readonly reason: string;
  readonly message: string;
  readonly trace: unknown;
  readonly at: Date;
}

type Row = { [K in keyof DispatchRecord]: DispatchRecord[K] | null } & {
  config_version: string;
  rotation: unknown;
  at: Date;
};

/** What a dispatch reads and writes, inside its transaction. */
@Injectable()
export class DispatchRepository {
  /** Waits for its turn at the router, and keeps the account's configuration as it is. */
  async lockRouter(tx: Transaction, { accountId }: AccountContext, routerId: string): Promise<void> {
    await tx.query(statements.LOCK_ROUTER, [accountId, routerId]);
  }

  /** @param rotationKey empty for the router's own rotation */
  async load(
    tx: Transaction,
    { accountId }: AccountContext,
    objectId: string,
    routerId: string,
    rotationKey: string,
  ): Promise<LoadedDispatch | undefined> {
    const [row] = await tx.query<Row>(statements.LOAD_DISPATCH, [accountId, objectId, routerId, rotationKey]);
    if (row === undefined) return undefined;
    const { config_version: version, rotation, at, ...record } = row;
    return { version, rotation, at, record: record.id === null ? undefined : (record as DispatchRecord) };
  }

  /** The active company of that canonical host. */
  async findCompany(
    tx: Transaction,
    { accountId }: AccountContext,
    host: string,
  ): Promise<{ id: string; owner: string | null } | undefined> {
    const [company] = await tx.query<{ id: string; owner: string | null }>(statements.FIND_COMPANY, [
      accountId,
      host,
    ]);
    return company;
  }

  /** Logs a run that assigned no one. @returns the id of the log entry */
  async logRun(tx: Transaction, account: AccountContext, run: Run): Promise<string> {
    const [row] = await tx.query<{ id: string }>(statements.LOG_RUN, logValues(account, run));
    return row?.id ?? '';
  }

  /**
   * Gives the record its new owner, moves the rotation and logs the run.
   * @param rotation the encoded new state; null leaves the rotation where it is
   * @returns the id of the log entry
   */
  async assign(
    tx: Transaction,
    account: AccountContext,
    run: Run,
    ownerField: string,
    rotationKey: string,
    rotation: unknown,
  ): Promise<string> {
    const state = rotation === null ? null : JSON.stringify(rotation);
    const values = [...logValues(account, run), ownerField, rotationKey, state];
    const [row] = await tx.query<{ id: string }>(statements.ASSIGN, values);
    return row?.id ?? '';
  }
}

function logValues({ accountId }: AccountContext, run: Run): unknown[] {
  return [
    accountId,
    run.routerId,
    run.record.object_type,
    run.record.id,
    run.user,
    run.previousUser,
    run.reason,
    run.message,
    JSON.stringify(run.trace),
    run.at,
  ];
}
