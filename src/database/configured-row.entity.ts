import { Column, CreateDateColumn, UpdateDateColumn } from 'typeorm';

/** What each row of an account's configuration has: users, teams, fields, capacities and routers. */
export abstract class ConfiguredRow {
  @Column('timestamptz', { name: 'archived_at', nullable: true })
  archivedAt!: Date | null;

  /** The version of the account's configuration in which the row was changed. The database writes it. */
  @Column({ type: 'bigint', name: 'changed_in', default: 0, select: false, insert: false, update: false })
  changedIn?: string;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at', default: () => 'now()' })
  createdAt!: Date;

  @UpdateDateColumn({ type: 'timestamptz', name: 'updated_at', default: () => 'now()' })
  updatedAt!: Date;
}
