import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { ObjectType } from '../../fields/index.js';

/** A change of a record that the count of its block does not contain yet. A trigger writes it. */
@Entity('record_block_changes')
export class RecordBlockChangeEntity {
  @PrimaryColumn('uuid', { name: 'account_id', primaryKeyConstraintName: 'record_block_changes_pkey' })
  accountId!: string;

  @PrimaryColumn('text', { name: 'object_type', primaryKeyConstraintName: 'record_block_changes_pkey' })
  objectType!: ObjectType;

  @PrimaryColumn('uuid', { name: 'record_id', primaryKeyConstraintName: 'record_block_changes_pkey' })
  recordId!: string;

  @PrimaryColumn('bigint', {
    generated: 'identity',
    generatedIdentity: 'BY DEFAULT',
    primaryKeyConstraintName: 'record_block_changes_pkey',
  })
  id!: string;

  /** What the change adds to the number of records: 1, 0 or -1. */
  @Column('integer')
  total!: number;

  /** What it adds to the number of archived records. */
  @Column('integer')
  archived!: number;
}
