import { Column, Entity, PrimaryColumn } from 'typeorm';

const KEY = { primaryKeyConstraintName: 'assignment_traces_pkey' };

/**
 * The trace of an entry of the log. Entries of earlier releases have theirs in their own row; those whose
 * trace was dropped have none.
 */
@Entity('assignment_traces')
export class AssignmentTraceEntity {
  @PrimaryColumn('uuid', { name: 'account_id', ...KEY })
  accountId!: string;

  @PrimaryColumn('uuid', KEY)
  id!: string;

  @Column('jsonb')
  trace!: unknown;
}
