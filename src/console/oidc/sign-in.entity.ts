import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A sign-in that is under way at the provider. It is deleted when the browser comes back. */
@Entity('console_sign_ins', { comment: 'left out of dumps' })
export class SignInEntity {
  /** SHA-256 of the 256 random bits in the cookie of the sign-in. */
  @PrimaryColumn('bytea', { name: 'token_hash', primaryKeyConstraintName: 'console_sign_ins_pkey' })
  tokenHash!: Buffer;

  @Column('text')
  state!: string;

  @Column('text')
  nonce!: string;

  /** That of PKCE. */
  @Column('text')
  verifier!: string;

  /** The page of the console that opens afterwards. */
  @Column('text')
  path!: string;

  @Index('console_sign_ins_end_idx')
  @Column('timestamptz', { name: 'ends_at' })
  endsAt!: Date;
}
