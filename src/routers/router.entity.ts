import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { ConfiguredRow } from '../database/configured-row.entity.js';
import type { ObjectType } from '../fields/index.js';
import type { StoredSettings } from './settings/people.js';

/** A pool entry that names a user, with the user's percentage where the distribution model needs one. */
export interface RouterUser {
  userId: string;
  percentage?: number;
}

/** A pool entry that names a team. */
export interface RouterTeam {
  teamId: string;
  percentage?: number;
}

/** What a version of a router has: all of a router that decides. */
export interface RouterContent {
  name: string;
  /** Every setting, with ids of users and teams; null until settings are given. */
  settings: StoredSettings | null;
  users: RouterUser[];
  teams: RouterTeam[];
}

/** A changed router that is not published. */
export interface RouterDraft extends RouterContent {
  /** The version that was live when it was begun. */
  base: number | null;
  /** ISO 8601. */
  updatedAt: string;
}

/**
 * A router. The whole router is one row, so that readers see a change completely or not at all. It has what
 * is live; of a router that was never published, its draft.
 */
@Entity('routers')
@Index('routers_name_key', ['accountId', 'nameKey'], { unique: true, where: 'archived_at IS NULL' })
export class RouterEntity extends ConfiguredRow implements RouterContent {
  @PrimaryColumn('uuid', { name: 'account_id', primaryKeyConstraintName: 'routers_pkey' })
  accountId!: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'routers_pkey' })
  id!: string;

  @Column('text')
  name!: string;

  /** The name in the form in which names are compared: `nameKey`. The repository writes it. */
  @Column('text', { name: 'name_key', select: false })
  nameKey?: string;

  @Column('text', { name: 'object_type' })
  objectType!: ObjectType;

  @Column('boolean', { default: false })
  published!: boolean;

  /** Every setting, with ids of users and teams; null until settings are given. */
  @Column('jsonb', { nullable: true })
  settings!: StoredSettings | null;

  @Column('jsonb', { default: [] })
  users!: RouterUser[];

  @Column('jsonb', { default: [] })
  teams!: RouterTeam[];

  /** The number of the version that the row has. Null for one that was never published. */
  @Column('integer', { nullable: true })
  version!: number | null;

  /** Null for none; undefined where it was not read: dispatches do not need it. */
  @Column('jsonb', { nullable: true, select: false })
  draft?: RouterDraft | null;

  @Column('text', { name: 'archived_by', nullable: true })
  archivedBy!: string | null;
}
