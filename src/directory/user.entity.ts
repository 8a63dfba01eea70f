import { Column, CreateDateColumn, Entity, Index, PrimaryColumn, UpdateDateColumn } from 'typeorm';
import type { AssignmentLimits, OutOfOffice, WorkingHours } from './user.js';

/** A user of the account, who can own records. */
@Entity('users')
@Index('users_email_key', ['accountId', 'email'], { unique: true })
@Index('users_stored_as_key', ['accountId', 'storedAs'], { unique: true, where: 'stored_as IS NOT NULL' })
export class UserEntity {
  @PrimaryColumn('uuid', { name: 'account_id', primaryKeyConstraintName: 'users_pkey' })
  accountId!: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'users_pkey' })
  id!: string;

  /** Lower case. */
  @Column('text')
  email!: string;

  /** The text by which rows of records name the user (ADR 24). Null: the e-mail. */
  @Column('text', { name: 'stored_as', nullable: true })
  storedAs!: string | null;

  @Column('text', { nullable: true })
  name!: string | null;

  @Column('text', { default: 'UTC' })
  timezone!: string;

  @Column('boolean', { default: true })
  available!: boolean;

  @Column('jsonb', { name: 'working_hours', nullable: true })
  workingHours!: WorkingHours[] | null;

  @Column('jsonb', { name: 'out_of_office', default: [] })
  outOfOffice!: OutOfOffice[];

  @Column('text', { array: true, default: '{}' })
  holidays!: string[];

  @Column('jsonb', { nullable: true })
  limits!: AssignmentLimits | null;

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
