import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { ObjectType } from '../../fields/index.js';

/** How many active records an owner has, but for the changes that wait in `owned_count_changes`. */
@Entity('owned_counts')
export class OwnedCountEntity {
  @PrimaryColumn('uuid', { name: 'account_id', primaryKeyConstraintName: 'owned_counts_pkey' })
  accountId!: string;

  @PrimaryColumn('text', { name: 'object_type', primaryKeyConstraintName: 'owned_counts_pkey' })
  objectType!: ObjectType;

  /** What is counted. The nil id: all records, by the type's own owner field. */
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'owned_counts_pkey' })
  counter!: string;

  /** The value of the owner field. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'owned_counts_pkey' })
  owner!: string;

  @Column('bigint')
  n!: string;
}
