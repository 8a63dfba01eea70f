import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { ObjectType } from '../../fields/index.js';

/** What a counter of an account counts. A trigger counts for every counter from its creation on. */
@Entity('owned_counters')
@Index('owned_counters_new_idx', ['accountId', 'objectType'], { where: 'NOT is_ready' })
export class OwnedCounterEntity {
  @PrimaryColumn('uuid', { name: 'account_id', primaryKeyConstraintName: 'owned_counters_pkey' })
  accountId!: string;

  @PrimaryColumn('text', { name: 'object_type', primaryKeyConstraintName: 'owned_counters_pkey' })
  objectType!: ObjectType;

  /** An id that follows from the owner field, the field and the values. */
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'owned_counters_pkey' })
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

  /** Whether the records that were there before the counter are counted. */
  @Column('boolean', { name: 'is_ready', default: false })
  isReady!: boolean;
}
