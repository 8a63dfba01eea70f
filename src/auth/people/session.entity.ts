import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

const KEY = { primaryKeyConstraintName: 'console_sessions_pkey' };

/** A session of a member in a browser. */
@Entity('console_sessions', { comment: 'left out of dumps' })
export class SessionEntity {
  @PrimaryColumn('uuid', { name: 'account_id', ...KEY })
  accountId!: string;

  @PrimaryColumn('uuid', KEY)
  id!: string;

  /** SHA-256 of the token in the cookie. */
  @Index('console_sessions_token_idx')
  @Column('bytea', { name: 'token_hash' })
  tokenHash!: Buffer;

  @Index('console_sessions_member_idx')
  @Column('uuid', { name: 'member_id' })
  memberId!: string;

  /** Whether the provider has said who the person is. */
  @Column('boolean', { name: 'by_provider' })
  byProvider!: boolean;

  /** Written at most once a minute. */
  @Column('timestamptz', { name: 'seen_at' })
  seenAt!: Date;

  /** The latest end. */
  @Index('console_sessions_end_idx')
  @Column('timestamptz', { name: 'ends_at' })
  endsAt!: Date;
}
