import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { ObjectType } from '../../fields/index.js';

/** How the keys of an index are made: of texts, numbers, instants, or the instant of the last change. */
export type IndexKind = 'text' | 'number' | 'instant' | 'changed';

/**
 * An index of a field of an account (ADR 26). A trigger on fields adds and drops it, another on records keeps
 * its keys from its creation on.
 */
@Entity('record_indexes')
@Index('record_indexes_field_key', ['accountId', 'objectType', 'field'], {
  unique: true,
  where: 'dropped_at IS NULL',
})
@Index('record_indexes_open_idx', ['accountId', 'id'], { where: 'dropped_at IS NOT NULL OR NOT is_ready' })
export class RecordIndexEntity {
  @PrimaryColumn('uuid', { name: 'account_id', primaryKeyConstraintName: 'record_indexes_pkey' })
  accountId!: string;

  /** Any that no other index of the account has. */
  @PrimaryColumn('integer', {
    default: () => '(floor((random() * (2147483647))))',
    primaryKeyConstraintName: 'record_indexes_pkey',
  })
  id!: number;

  @Column('text', { name: 'object_type' })
  objectType!: ObjectType;

  /** The internal name of the field, or `updated_at`. */
  @Column('text')
  field!: string;

  @Column('text')
  kind!: IndexKind;

  /** The last of the records that were there before the index and have their keys. Null: not begun. */
  @Column('uuid', { name: 'built_to', nullable: true })
  builtTo!: string | null;

  /** Whether all records that it is of have their keys, so that searches may use it. */
  @Column('boolean', { name: 'is_ready', default: false })
  isReady!: boolean;

  /** When it was switched off; its keys are deleted in the background. */
  @Column('timestamptz', { name: 'dropped_at', nullable: true })
  droppedAt!: Date | null;

  /** The last day on which a search could use it; null for the index of a field, which stays. */
  @Column('date', { name: 'used_on', nullable: true })
  usedOn!: string | null;
}
