import { Entity, PrimaryColumn } from 'typeorm';

/**
 * The key of an active record in an index. A record has the key of its value, and for a time may have that of
 * an earlier value too, so who reads keys compares them with the record.
 */
@Entity('record_index_keys')
export class RecordIndexKeyEntity {
  @PrimaryColumn('uuid', { name: 'account_id', primaryKeyConstraintName: 'record_index_keys_pkey' })
  accountId!: string;

  @PrimaryColumn('integer', { name: 'index_id', primaryKeyConstraintName: 'record_index_keys_pkey' })
  indexId!: number;

  /** Ordered by its bytes; empty for an empty field, U+0001 for what is no number or instant. */
  @PrimaryColumn('text', { collation: 'C', primaryKeyConstraintName: 'record_index_keys_pkey' })
  key!: string;

  @PrimaryColumn('uuid', { name: 'record_id', primaryKeyConstraintName: 'record_index_keys_pkey' })
  recordId!: string;
}
