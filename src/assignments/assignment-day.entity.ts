import { Column, Entity, PrimaryColumn } from 'typeorm';

const KEY = { primaryKeyConstraintName: 'assignment_days_pkey' };

/** The number of entries of a kind that one day of the log has, or all its days (`countEntries`). */
@Entity('assignment_days')
export class AssignmentDayEntity {
  @PrimaryColumn('uuid', { name: 'account_id', ...KEY })
  accountId!: string;

  /** The day in UTC in which the ids of the entries were made; `infinity` for all days. */
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
