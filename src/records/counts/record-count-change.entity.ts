import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { ObjectType } from '../../fields/index.js';

/** A change of a count that `record_counts` does not contain yet. A trigger writes it. */
@Entity('record_count_changes')
export class RecordCountChangeEntity {
  @PrimaryColumn('uuid', { name: 'account_id', primaryKeyConstraintName: 'record_count_changes_pkey' })
  accountId!: string;

  @PrimaryColumn('text', { name: 'object_type', primaryKeyConstraintName: 'record_count_changes_pkey' })
  objectType!: ObjectType;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'record_count_changes_pkey' })
  counter!: string;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'record_count_changes_pkey' })
  owner!: string;

  @PrimaryColumn('bigint', {
    generated: 'identity',
    generatedIdentity: 'BY DEFAULT',
    primaryKeyConstraintName: 'record_count_changes_pkey',
  })
  id!: string;

  /** What the change adds. */
  @Column('bigint')
  n!: string;
}
