import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

const KEY = { primaryKeyConstraintName: 'idempotency_keys_pkey' };

/** The answer to a request of a client with an idempotency key (contract section 7). */
@Entity('idempotency_keys')
export class IdempotencyKeyEntity {
  @PrimaryColumn('uuid', { ...KEY, name: 'account_id' })
  accountId!: string;

  @PrimaryColumn('uuid', { ...KEY, name: 'client_id' })
  clientId!: string;

  @PrimaryColumn('text', KEY)
  key!: string;

  /** SHA-256 of the request. */
  @Column('bytea')
  digest!: Buffer;

  @Column('smallint')
  status!: number;

  /** `Location` and `ETag`, where the answer has them. */
  @Column('jsonb')
  headers!: Record<string, string>;

  /** JSON. */
  @Column('text')
  body!: string;

  @Index('idempotency_keys_created_idx')
  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;
}
