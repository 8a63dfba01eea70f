import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { ObjectType } from '../fields/index.js';

/** One run of a dispatch, whether it assigned or not, with what was weighed. */
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

  @Column('text', { name: 'object_type' })
  objectType!: ObjectType;

  @Column('uuid', { name: 'object_id' })
  objectId!: string;

  /** E-mail of the new owner; null when no one was assigned. */
  @Column('text', { name: 'user_email', nullable: true })
  userEmail!: string | null;

  @Column('text', { name: 'previous_user', nullable: true })
  previousUser!: string | null;

  @Column('text')
  reason!: string;

  @Column('text')
  message!: string;

  /** Null once it was pruned. */
  @Column('jsonb', { nullable: true })
  trace!: unknown;

  /** The turn that a rotation gave, for making up for it; null where none moved. */
  @Column('jsonb', { nullable: true })
  turn!: { scope: string; team: string | null } | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;
}
