import { Column, CreateDateColumn, Entity, Index, PrimaryColumn, UpdateDateColumn } from 'typeorm';

/** A named group of users. */
@Entity('teams')
@Index('teams_active_name_key', ['accountId', 'nameKey'], { unique: true, where: 'archived_at IS NULL' })
export class TeamEntity {
  @PrimaryColumn('uuid', { name: 'account_id', primaryKeyConstraintName: 'teams_pkey' })
  accountId!: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'teams_pkey' })
  id!: string;

  @Column('text')
  name!: string;

  /** The name in the form in which names are compared: `nameKey`. The repository writes it. */
  @Column('text', { name: 'name_key', select: false })
  nameKey?: string;

  /** Users in the order the configuration lists them. */
  @Column('uuid', { name: 'member_ids', array: true, default: '{}' })
  memberIds!: string[];

  @Column('timestamptz', { name: 'archived_at', nullable: true })
  archivedAt!: Date | null;

  /** The version of the account's configuration in which the row was changed. The database writes it. */
  @Column({ type: 'bigint', name: 'changed_in', default: 0, select: false, insert: false, update: false })
  changedIn?: string;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at', default: () => 'now()' })
  createdAt!: Date;

  @UpdateDateColumn({ type: 'timestamptz', name: 'updated_at', default: () => 'now()' })
  updatedAt!: Date;
}
