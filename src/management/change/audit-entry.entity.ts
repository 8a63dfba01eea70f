import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { ValueChange } from './value-changes.js';

/** A change of an account's configuration. None is changed; a sweep deletes old ones. */
@Entity('audit_entries')
@Index('audit_entries_object_idx', ['accountId', 'objectId', 'id'])
@Index('audit_entries_kind_idx', ['accountId', 'objectKind', 'id'])
@Index('audit_entries_client_idx', ['accountId', 'byId', 'id'], { where: 'by_id IS NOT NULL' })
@Index('audit_entries_command_idx', ['accountId', 'byName', 'id'], { where: 'by_id IS NULL' })
export class AuditEntryEntity {
  @PrimaryColumn('uuid', { name: 'account_id', primaryKeyConstraintName: 'audit_entries_pkey' })
  accountId!: string;

  /** Of the instant of the change, in the order of the changes. */
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'audit_entries_pkey' })
  id!: string;

  @Column('timestamptz')
  at!: Date;

  @Column('text', { name: 'by_kind' })
  byKind!: 'client' | 'user' | 'command';

  @Column('uuid', { name: 'by_id', nullable: true })
  byId!: string | null;

  @Column('text', { name: 'by_name' })
  byName!: string;

  @Column('text')
  action!: string;

  @Column('text', { name: 'object_kind' })
  objectKind!: string;

  @Column('uuid', { name: 'object_id' })
  objectId!: string;

  @Column('text', { name: 'object_name' })
  objectName!: string;

  @Column('jsonb')
  changes!: readonly ValueChange[];

  @Column('text', { name: 'request_id', nullable: true })
  requestId!: string | null;
}
