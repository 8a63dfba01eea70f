import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { ConfiguredRow } from '../database/configured-row.entity.js';
import type { ObjectType } from '../fields/index.js';

/** The capacity of a user. */
export interface UserCapacity {
  userId: string;
  max: number;
}

/** The capacity of each member of a team. */
export interface TeamCapacity {
  teamId: string;
  max: number;
}

/** A capacity: the most active records with one of certain values that a user may own. */
@Entity('capacities')
@Index('capacities_active_name_key', ['accountId', 'name'], { unique: true, where: 'archived_at IS NULL' })
export class CapacityEntity extends ConfiguredRow {
  @PrimaryColumn('uuid', { name: 'account_id', primaryKeyConstraintName: 'capacities_pkey' })
  accountId!: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'capacities_pkey' })
  id!: string;

  @Column('text')
  name!: string;

  @Column('text', { name: 'object_type' })
  objectType!: ObjectType;

  /** Internal name of the field whose values count. */
  @Column('text')
  field!: string;

  /** In the form in which records store the values. */
  @Column('text', { array: true })
  values!: string[];

  @Column('jsonb', { default: [] })
  users!: UserCapacity[];

  @Column('jsonb', { default: [] })
  teams!: TeamCapacity[];
}
