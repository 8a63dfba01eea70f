import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { ObjectType } from '../fields/index.js';

/**
 * A contact, company, deal or ticket. The repository reads and writes it by named statements. PostgreSQL
 * generates the columns of the unique keys and the owner from `fields`.
 */
@Entity('records')
@Index('records_unique_key_key', ['accountId', 'objectType', 'uniqueKey'], {
  unique: true,
  where: 'archived_at IS NULL AND unique_key IS NOT NULL',
})
@Index('records_external_id_key', ['accountId', 'objectType', 'externalId'], {
  unique: true,
  where: 'archived_at IS NULL AND external_id IS NOT NULL',
})
// TypeORM knows no index on an expression: the migration that lets records be searched creates these two.
@Index('records_odd_unique_key_idx', { synchronize: false })
@Index('records_odd_external_id_idx', { synchronize: false })
@Index('records_owner_id_idx', ['accountId', 'objectType', 'owner', 'id'], {
  where: 'archived_at IS NULL AND owner IS NOT NULL',
})
@Index('records_active_idx', ['accountId', 'objectType', 'id'], { where: 'archived_at IS NULL' })
export class RecordEntity {
  @PrimaryColumn('uuid', { name: 'account_id', primaryKeyConstraintName: 'records_pkey' })
  accountId!: string;

  @PrimaryColumn('text', { name: 'object_type', primaryKeyConstraintName: 'records_pkey' })
  objectType!: ObjectType;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'records_pkey' })
  id!: string;

  /** Stored values by internal name, with the assigned dates of user fields. Cleared fields are absent. */
  @Column('jsonb')
  fields!: Record<string, string>;

  /** The form in which the e-mail is compared as a key; null where it is the stored one. */
  @Column('text', { name: 'key_form', nullable: true })
  keyForm!: string | null;

  /** The unique key of the object type, as it is compared: a contact's email, a company's website_url. */
  @Column('text', { name: 'unique_key', nullable: true })
  uniqueKey!: string | null;

  @Column('text', { name: 'external_id', nullable: true })
  externalId!: string | null;

  /** The value of the owner field of the object type. */
  @Column('text', { nullable: true })
  owner!: string | null;

  @Column('timestamptz', { name: 'archived_at', nullable: true })
  archivedAt!: Date | null;

  @Column('text', { name: 'archived_by', nullable: true })
  archivedBy!: string | null;

  /** Who made the last change, as WriteAuthors says it; null where that is not known. */
  @Column('jsonb', { name: 'changed_by', nullable: true })
  changedBy!: object | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'updated_at' })
  updatedAt!: Date;
}
