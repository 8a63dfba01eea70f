import { Column, Entity, PrimaryColumn } from 'typeorm';

const KEY = { primaryKeyConstraintName: 'assignment_traces_pkey' };

/** The trace of an entry of the log, which may be deleted before it. */
@Entity('assignment_traces')
export class AssignmentTraceEntity {
  @PrimaryColumn('uuid', { name: 'account_id', ...KEY })
  accountId!: string;

  @PrimaryColumn('uuid', KEY)
  id!: string;

  /** `json` keeps the order of the keys. */
  @Column('json')
  trace!: unknown;
}
