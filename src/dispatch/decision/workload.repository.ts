import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import { firstIdAt, type Queryable, type Transaction } from '../../database/index.js';
import type { LimitWindows } from '../../directory/index.js';
import { OBJECT_TYPE_RULES, type ObjectType } from '../../fields/index.js';
import type { Capacity, LimitSpan } from '../../engine/index.js';
import * as statements from './workload.statements.js';

/** Whose records are counted: those of a type, by the field that names their owner. */
export interface Ownership {
  readonly objectType: ObjectType;
  readonly ownerField: string;
}

/** How many by e-mail; who is missing has none. */
export type Counts = ReadonlyMap<string, number>;

/** Counts of what users have already. */
@Injectable()
export class WorkloadRepository {
  /** Keeps other routers' dispatches from changing these users' counts until the transaction ends. */
  async lockUsers(tx: Transaction, { accountId }: AccountContext, emails: readonly string[]): Promise<void> {
    await tx.query(statements.LOCK_USERS, [accountId, emails]);
  }

  /** Assignments by any router since the starts of each user's windows. @param windows by e-mail; @param until null for all there are */
  async countAssigned(
    db: Queryable,
    { accountId }: AccountContext,
    windows: ReadonlyMap<string, LimitWindows>,
    until: Date | null,
  ): Promise<ReadonlyMap<string, Record<LimitSpan, number>>> {
    const spans = [...windows.values()];
    const rows = await db.query<Record<LimitSpan, number> & { email: string }>(statements.COUNT_ASSIGNED, [
      accountId,
      [...windows.keys()],
      spans.map(({ hour }) => hour),
      spans.map(({ day }) => day),
      spans.map(({ week }) => week),
      spans.map(({ month }) => month),
      spans.map(({ hour, day, week, month }) =>
        firstIdAt(new Date(Math.min(hour.getTime(), day.getTime(), week.getTime(), month.getTime()))),
      ),
      until,
    ]);
    return new Map(rows.map(({ email, ...counts }) => [email, counts]));
  }

  /** Active records owned. */
  countOwned(
    db: Queryable,
    { accountId }: AccountContext,
    { objectType, ownerField }: Ownership,
    emails: readonly string[],
  ): Promise<Counts> {
    return OBJECT_TYPE_RULES[objectType].ownerField === ownerField
      ? this.count(db, statements.COUNT_OWNED, [accountId, objectType, emails])
      : this.count(db, statements.COUNT_OWNED_BY_FIELD, [accountId, objectType, emails, ownerField]);
  }

  /** Active records owned that have one of a capacity's values. */
  countInCapacity(
    db: Queryable,
    { accountId }: AccountContext,
    { objectType, ownerField }: Ownership,
    { field, values }: Pick<Capacity, 'field' | 'values'>,
    emails: readonly string[],
  ): Promise<Counts> {
    const parameters = [accountId, objectType, emails, field, values];
    return OBJECT_TYPE_RULES[objectType].ownerField === ownerField
      ? this.count(db, statements.COUNT_IN_CAPACITY, parameters)
      : this.count(db, statements.COUNT_IN_CAPACITY_BY_FIELD, [...parameters, ownerField]);
  }

  private async count(
    db: Queryable,
    statement: typeof statements.COUNT_OWNED,
    values: unknown[],
  ): Promise<Counts> {
    const rows = await db.query<{ email: string; count: number }>(statement, values);
    return new Map(rows.map(({ email, count }) => [email, count]));
  }
}
