import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { ObjectType } from '../fields/index.js';

/** An entry of the assignment log: a router ran on a record, and assigned somebody or nobody. */
@Entity('assignments')
@Index('assignments_router_idx', ['accountId', 'routerId', 'id'])
@Index('assignments_object_idx', ['accountId', 'objectId', 'id'])
@Index('assignments_user_idx', ['accountId', 'userEmail', 'id'], { where: 'user_email IS NOT NULL' })
export class AssignmentEntity {
  @PrimaryColumn('uuid', { name: 'account_id', primaryKeyConstraintName: 'assignments_pkey' })
  accountId!: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'assignments_pkey' })
  id!: string;

  @Column('uuid', { name: 'router_id' })
  routerId!: string;

  /** The version of the router that has decided; null for none, and in entries of earlier releases. */
  @Column('integer', { name: 'router_version', nullable: true })
  routerVersion!: number | null;

  @Column('text', { name: 'object_type' })
  objectType!: ObjectType;

  @Column('uuid', { name: 'object_id' })
  objectId!: string;

  /** E-mail of the new owner; null when nobody was assigned, or the owner stayed the same. */
  @Column('text', { name: 'user_email', nullable: true })
  userEmail!: string | null;

  @Column('text', { name: 'previous_user', nullable: true })
  previousUser!: string | null;

  @Column('text')
  reason!: string;

  @Column('text')
  message!: string;

  /** That of an entry of an earlier release; null for others, and after it was dropped. */
  @Column('jsonb', { nullable: true })
  trace!: unknown;

  /** The turn that a rotation gave, so that it can be returned; null when no rotation moved. */
  @Column('jsonb', { nullable: true })
  turn!: { scope: string; team: string | null } | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;
}
