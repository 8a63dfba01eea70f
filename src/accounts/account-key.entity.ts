import { Entity, Index, PrimaryColumn } from 'typeorm';

/** What leads to an account without its id. Each node of a distributed database has all of them. */
@Entity('account_keys', { comment: 'left out of dumps' })
@Index('account_keys_unique_key', ['kind', 'key'], { unique: true, where: `kind IN ('slug', 'client')` })
export class AccountKeyEntity {
  /**
   * `slug`, or `client` for the id of an API client; of people, whom several accounts may know, `email` for
   * the key of one, `person` for issuer and subject, and `group`.
   */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'account_keys_pkey' })
  kind!: string;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'account_keys_pkey' })
  key!: string;

  @PrimaryColumn('uuid', { name: 'account_id', primaryKeyConstraintName: 'account_keys_pkey' })
  accountId!: string;
}
