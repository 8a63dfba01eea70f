import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { ObjectType } from '../../fields/index.js';

/**
 * How many records there are from one id until before another. The blocks of a type follow each other without
 * a gap, from the least id to that behind which the records themselves are counted.
 */
@Entity('record_blocks')
export class RecordBlockEntity {
  @PrimaryColumn('uuid', { name: 'account_id', primaryKeyConstraintName: 'record_blocks_pkey' })
  accountId!: string;

  @PrimaryColumn('text', { name: 'object_type', primaryKeyConstraintName: 'record_blocks_pkey' })
  objectType!: ObjectType;

  @PrimaryColumn('uuid', { name: 'first_id', primaryKeyConstraintName: 'record_blocks_pkey' })
  firstId!: string;

  /** The first id behind the block. */
  @Column('uuid', { name: 'end_id' })
  endId!: string;

  /** Active and archived records. */
  @Column('integer')
  total!: number;

  @Column('integer')
  archived!: number;
}
