import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * The requests of a client, or of an account, in a minute, as all processes have counted them. The table is
 * unlogged: it is empty after a crash of PostgreSQL, and neither dumps nor standbys have it.
 */
@Entity('request_counts')
export class RequestCountEntity {
  @PrimaryColumn('uuid', { name: 'account_id', primaryKeyConstraintName: 'request_counts_pkey' })
  accountId!: string;

  /** A client of the account, or the account itself. */
  @PrimaryColumn('uuid', { name: 'subject_id', primaryKeyConstraintName: 'request_counts_pkey' })
  subjectId!: string;

  @Column('integer')
  requests!: number;

  /** When the minute ends. The next report begins another one. */
  @Column('timestamptz', { name: 'ends_at' })
  endsAt!: Date;
}
