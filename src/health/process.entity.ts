import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A process that serves, of all accounts. The table is unlogged: neither dumps nor standbys have it. */
@Entity('processes')
export class ProcessEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'processes_pkey' })
  id!: string;

  @Column('text')
  release!: string;

  @Column('timestamptz', { name: 'started_at' })
  startedAt!: Date;

  /** When it has said last that it runs. */
  @Column('timestamptz', { name: 'seen_at' })
  seenAt!: Date;
}
