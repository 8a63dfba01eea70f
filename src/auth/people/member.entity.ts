import { Column, CreateDateColumn, Entity, Index, PrimaryColumn, UpdateDateColumn } from 'typeorm';
import type { Role } from '../scope.js';

/** A person who may enter the console of an account. */
@Entity('console_members')
@Index('console_members_active_email_key', ['emailKey', 'accountId'], {
  unique: true,
  where: 'archived_at IS NULL',
})
@Index('console_members_active_subject_key', ['subject', 'issuer', 'accountId'], {
  unique: true,
  where: 'archived_at IS NULL',
})
@Index('console_members_email_idx', ['emailKey'])
@Index('console_members_subject_idx', ['subject'], { where: 'subject IS NOT NULL' })
export class MemberEntity {
  @PrimaryColumn('uuid', { name: 'account_id', primaryKeyConstraintName: 'console_members_pkey' })
  accountId!: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'console_members_pkey' })
  id!: string;

  @Column('text')
  email!: string;

  /** The e-mail in the form in which e-mails are compared. */
  @Column('text', { name: 'email_key', select: false })
  emailKey?: string;

  @Column('text')
  role!: Role;

  /** Whether the role is that of a group of the provider, which each sign-in tells. */
  @Column('boolean', { name: 'by_group', default: false })
  byGroup!: boolean;

  /** The provider that knows the person, and its name for them; null until they have entered by it. */
  @Column('text', { nullable: true })
  issuer!: string | null;

  @Column('text', { nullable: true })
  subject!: string | null;

  @Column('timestamptz', { name: 'last_seen_at', nullable: true })
  lastSeenAt!: Date | null;

  @Column('timestamptz', { name: 'archived_at', nullable: true })
  archivedAt!: Date | null;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at', default: () => 'now()' })
  createdAt!: Date;

  @UpdateDateColumn({ type: 'timestamptz', name: 'updated_at', default: () => 'now()' })
  updatedAt!: Date;
}
