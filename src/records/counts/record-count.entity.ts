import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { ObjectType } from '../../fields/index.js';

/** How many records a counter counts for an owner, but for the changes in `record_count_changes`. */
@Entity('record_counts')
export class RecordCountEntity {
  @PrimaryColumn('uuid', { name: 'account_id', primaryKeyConstraintName: 'record_counts_pkey' })
  accountId!: string;

  @PrimaryColumn('text', { name: 'object_type', primaryKeyConstraintName: 'record_counts_pkey' })
  objectType!: ObjectType;

  /** `active`, `archived`, `owner`, or the id of one of `record_counters`. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'record_counts_pkey' })
  counter!: string;

  /** The value of the owner field; empty for `active` and `archived`. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'record_counts_pkey' })
  owner!: string;

  @Column('bigint')
  n!: string;
}
