import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { ObjectType } from '../../fields/index.js';

/** What a counter of an account counts. A trigger counts for every counter from its creation on. */
@Entity('record_counters')
@Index('record_counters_new_idx', ['accountId', 'objectType'], { where: 'NOT is_ready' })
export class RecordCounterEntity {
  @PrimaryColumn('uuid', { name: 'account_id', primaryKeyConstraintName: 'record_counters_pkey' })
  accountId!: string;

  @PrimaryColumn('text', { name: 'object_type', primaryKeyConstraintName: 'record_counters_pkey' })
  objectType!: ObjectType;

  /** An id that follows from the owner field, the field and the values. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'record_counters_pkey' })
  counter!: string;

  /** The field that names the owner. */
  @Column('text', { name: 'owner_field' })
  ownerField!: string;

  /** Null where all active records count. */
  @Column('text', { name: 'having_field', nullable: true })
  havingField!: string | null;

  /** The values of that field with which a record counts. */
  @Column('text', { name: 'having_values', array: true, nullable: true })
  havingValues!: string[] | null;

  /** A transaction id: those that have it or a later one know the counter. Null until it is known. */
  @Column('bigint', { name: 'known_from', nullable: true })
  knownFrom!: string | null;

  /** Whether the records that were there before the counter are counted. */
  @Column('boolean', { name: 'is_ready', default: false })
  isReady!: boolean;
}
