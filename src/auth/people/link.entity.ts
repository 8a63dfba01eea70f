import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

const KEY = { primaryKeyConstraintName: 'console_links_pkey' };

/** A link by which a member enters once. It is deleted when it is used. */
@Entity('console_links', { comment: 'left out of dumps' })
export class LinkEntity {
  @PrimaryColumn('uuid', { name: 'account_id', ...KEY })
  accountId!: string;

  /** SHA-256 of the token. */
  @Index('console_links_token_idx')
  @PrimaryColumn('bytea', { name: 'token_hash', ...KEY })
  tokenHash!: Buffer;

  @Index('console_links_member_idx')
  @Column('uuid', { name: 'member_id' })
  memberId!: string;

  @Index('console_links_end_idx')
  @Column('timestamptz', { name: 'ends_at' })
  endsAt!: Date;
}
