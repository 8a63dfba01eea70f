import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { ConfiguredRow } from '../database/configured-row.entity.js';
import type { AssignmentLimits, OutOfOffice, WorkingHours } from './user.js';

/** A user of the account, who can own records. */
@Entity('users')
@Index('users_email_key', ['accountId', 'emailKey'], { unique: true })
@Index('users_email_idx', ['accountId', 'email'])
@Index('users_stored_as_key', ['accountId', 'storedAs'], { unique: true, where: 'stored_as IS NOT NULL' })
export class UserEntity extends ConfiguredRow {
  @PrimaryColumn('uuid', { name: 'account_id', primaryKeyConstraintName: 'users_pkey' })
  accountId!: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'users_pkey' })
  id!: string;

  /** Lower case. */
  @Column('text')
  email!: string;

  /** The e-mail in the form in which e-mails are compared: `emailKey`. The repository writes it. */
  @Column('text', { name: 'email_key', select: false })
  emailKey?: string;

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
}
