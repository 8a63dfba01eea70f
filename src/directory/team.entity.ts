import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { ConfiguredRow } from '../database/configured-row.entity.js';

/** A named group of users. */
@Entity('teams')
@Index('teams_active_name_key', ['accountId', 'nameKey'], { unique: true, where: 'archived_at IS NULL' })
export class TeamEntity extends ConfiguredRow {
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
}
