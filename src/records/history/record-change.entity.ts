import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

const KEY = { primaryKeyConstraintName: 'record_changes_pkey' };

/** One change of a record, which a trigger writes (ADR 33). */
@Entity('record_changes')
@Index('record_changes_at_idx', ['at'])
export class RecordChangeEntity {
  @PrimaryColumn('uuid', { name: 'account_id', ...KEY })
  accountId!: string;

  @PrimaryColumn('uuid', { name: 'record_id', ...KEY })
  recordId!: string;

  /** Later than that of any change of the record before it. */
  @PrimaryColumn('timestamptz', KEY)
  at!: Date;

  /** `client`, `user`, `router`, `import` or `system`. */
  @Column('text', { name: 'by_kind' })
  byKind!: string;

  @Column('uuid', { name: 'by_id', nullable: true })
  byId!: string | null;

  @Column('uuid', { name: 'assignment_id', nullable: true })
  assignmentId!: string | null;

  @Column('text', { name: 'request_id', nullable: true })
  requestId!: string | null;

  /** By field the stored value before and after; null for none. `archived` has booleans. */
  @Column('jsonb')
  changes!: unknown;
}
