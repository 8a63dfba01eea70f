import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { ObjectType } from '../../fields/index.js';

/** A change of an owner's records that `owned_counts` does not contain yet. A trigger writes it. */
@Entity('owned_count_changes')
export class OwnedCountChangeEntity {
  @PrimaryColumn('uuid', { name: 'account_id', primaryKeyConstraintName: 'owned_count_changes_pkey' })
  accountId!: string;

  @PrimaryColumn('text', { name: 'object_type', primaryKeyConstraintName: 'owned_count_changes_pkey' })
  objectType!: ObjectType;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'owned_count_changes_pkey' })
  counter!: string;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'owned_count_changes_pkey' })
  owner!: string;

  @PrimaryColumn('bigint', {
    generated: 'identity',
    generatedIdentity: 'BY DEFAULT',
    primaryKeyConstraintName: 'owned_count_changes_pkey',
  })
  id!: string;

  /** What the change adds: usually 1 or -1. */
  @Column('bigint')
  n!: string;
}
