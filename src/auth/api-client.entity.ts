import { Column, CreateDateColumn, Entity, Index, PrimaryColumn, UpdateDateColumn } from 'typeorm';
import type { Scope } from './scope.js';

/** An API client: a program that may request tokens for its account. */
@Entity('api_clients')
@Index('api_clients_id_idx', ['id'])
export class ApiClientEntity {
  @PrimaryColumn('uuid', { name: 'account_id', primaryKeyConstraintName: 'api_clients_pkey' })
  accountId!: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'api_clients_pkey' })
  id!: string;

  @Column('text')
  name!: string;

  /** SHA-256 of the secret. The secret has 256 random bits, so a slow hash would add nothing. */
  @Column('bytea', { name: 'secret_hash' })
  secretHash!: Buffer;

  /** The hash of the secret before; null once it was replaced without an overlap. */
  @Column('bytea', { name: 'previous_secret_hash', nullable: true })
  previousSecretHash!: Buffer | null;

  /** When the secret before stops working. */
  @Column('timestamptz', { name: 'previous_secret_until', nullable: true })
  previousSecretUntil!: Date | null;

  @Column('text', { array: true })
  scopes!: Scope[];

  /** When it was revoked. */
  @Column('timestamptz', { name: 'revoked_at', nullable: true })
  archivedAt!: Date | null;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at', default: () => 'now()' })
  createdAt!: Date;

  @UpdateDateColumn({ type: 'timestamptz', name: 'updated_at', default: () => 'now()' })
  updatedAt!: Date;
}
