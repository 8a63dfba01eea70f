import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

const KEY = { primaryKeyConstraintName: 'assignment_blocks_pkey' };

/** Consecutive entries of a series of the log (see series.sql.ts). */
@Entity('assignment_blocks')
@Index('assignment_blocks_user_idx', ['accountId', 'userEmail', 'firstId'], {
  where: "router_id = '00000000-0000-0000-0000-000000000000'",
})
export class AssignmentBlockEntity {
  @PrimaryColumn('uuid', { name: 'account_id', ...KEY })
  accountId!: string;

  /** The router of the entries; all zeros for any. */
  @PrimaryColumn('uuid', { name: 'router_id', ...KEY })
  routerId!: string;

  /** The user of the entries; empty for any and nobody. */
  @PrimaryColumn('text', { name: 'user_email', ...KEY })
  userEmail!: string;

  /** Number of entries of the series before the block. */
  @PrimaryColumn('bigint', KEY)
  before!: string;

  @Column('uuid', { name: 'first_id' })
  firstId!: string;

  @Column('integer')
  entries!: number;
}
