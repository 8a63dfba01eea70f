import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { RouterContent, RouterTeam, RouterUser } from './router.entity.js';

const KEY = { primaryKeyConstraintName: 'router_versions_pkey' };

/** Who has published a version. */
export interface RouterPublisher {
  readonly kind: 'client' | 'user' | 'command';
  /** Of the client; null for a command. */
  readonly id: string | null;
  readonly name: string;
}

/** What a router was when it was published. A version never changes. */
@Entity('router_versions')
export class RouterVersionEntity implements RouterContent {
  @PrimaryColumn('uuid', { name: 'account_id', ...KEY })
  accountId!: string;

  @PrimaryColumn('uuid', { name: 'router_id', ...KEY })
  routerId!: string;

  /** From 1, without gaps, for each router. */
  @PrimaryColumn('integer', KEY)
  version!: number;

  @Column('text')
  name!: string;

  @Column('jsonb', { nullable: true })
  settings!: Record<string, unknown> | null;

  @Column('jsonb')
  users!: RouterUser[];

  @Column('jsonb')
  teams!: RouterTeam[];

  @Column('timestamptz', { name: 'published_at' })
  publishedAt!: Date;

  /** Null for what was live before routers had versions. */
  @Column('jsonb', { name: 'published_by', nullable: true })
  publishedBy!: RouterPublisher | null;

  @Column('text', { nullable: true })
  note!: string | null;
}
