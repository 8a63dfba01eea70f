import { Column, Entity, PrimaryColumn } from 'typeorm';

const KEY = { primaryKeyConstraintName: 'assignment_days_pkey' };

/** The number of entries of the log that one day has of a kind. Written with the entries (`countEntries`). */
@Entity('assignment_days')
export class AssignmentDayEntity {
  @PrimaryColumn('uuid', { name: 'account_id', ...KEY })
  accountId!: string;

  /** The day in UTC in which the ids of the entries were made. */
  @PrimaryColumn('date', { ...KEY })
  day!: string;

  @PrimaryColumn('uuid', { name: 'router_id', ...KEY })
  routerId!: string;

  /** Empty for no rule. */
  @PrimaryColumn('text', { ...KEY })
  rule!: string;

  /** 0 for none. */
  @PrimaryColumn('smallint', { ...KEY })
  step!: number;

  /** All zeros for nobody. */
  @PrimaryColumn('uuid', { name: 'user_id', ...KEY })
  userId!: string;

  @PrimaryColumn('text', { ...KEY })
  reason!: string;

  @Column('integer')
  entries!: number;
}
