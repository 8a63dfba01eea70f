import { Column, CreateDateColumn, Entity, Index, PrimaryColumn, UpdateDateColumn } from 'typeorm';

/** The tenant. Everything else belongs to exactly one account. */
@Entity('accounts')
@Index('accounts_slug_key', ['slug'], { unique: true })
export class AccountEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'accounts_pkey' })
  id!: string;

  /** The name by which the command line and the configuration file know the account. */
  @Column('text')
  slug!: string;

  @Column('text')
  name!: string;

  /** Local dates `YYYY-MM-DD` outside working hours for every user. */
  @Column('text', { array: true, default: '{}' })
  holidays!: string[];

  @Column('timestamptz', { name: 'suspended_at', nullable: true })
  suspendedAt!: Date | null;

  /** Rises with every change of the configuration. Record writes and dispatches check it. */
  @Column('bigint', { name: 'config_version', default: 1 })
  configVersion!: string;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at', default: () => 'now()' })
  createdAt!: Date;

  @UpdateDateColumn({ type: 'timestamptz', name: 'updated_at', default: () => 'now()' })
  updatedAt!: Date;
}
