import { Column, Entity, PrimaryColumn } from 'typeorm';

/** How far the log of an account is divided into blocks. */
@Entity('assignment_folds')
export class AssignmentFoldEntity {
  @PrimaryColumn('uuid', { name: 'account_id', primaryKeyConstraintName: 'assignment_folds_pkey' })
  accountId!: string;

  /** The last entry that is in blocks. */
  @Column('uuid', { name: 'last_id' })
  lastId!: string;

  /** The most milliseconds by which the id of an entry in blocks is later than its `created_at`. */
  @Column('bigint', { name: 'late_ms' })
  lateMs!: string;

  /** The most milliseconds by which one is earlier. */
  @Column('bigint', { name: 'early_ms' })
  earlyMs!: string;
}
