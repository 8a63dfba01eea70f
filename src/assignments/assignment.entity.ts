import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { ObjectType } from '../fields/index.js';

/** An entry of the assignment log: a router ran on a record, and assigned somebody or nobody. */
@Entity('assignments')
@Index('assignments_router_idx', ['accountId', 'routerId', 'id'])
@Index('assignments_object_idx', ['accountId', 'objectId', 'id'])
@Index('assignments_user_idx', ['accountId', 'userId', 'id'], { where: 'user_id IS NOT NULL' })
@Index('assignments_newest_idx', ['accountId', 'userId', 'createdAt'], {
  where: 'user_id IS NOT NULL AND returned_at IS NULL',
})
@Index('assignments_returned_idx', ['accountId', 'userId', 'createdAt'], {
  where: 'returned_at IS NOT NULL',
})
@Index('assignments_kind_idx', { synchronize: false })
@Index('assignments_owed_idx', ['accountId', 'routerId', 'id'], { where: 'turn_owed' })
export class AssignmentEntity {
  @PrimaryColumn('uuid', { name: 'account_id', primaryKeyConstraintName: 'assignments_pkey' })
  accountId!: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'assignments_pkey' })
  id!: string;

  @Column('uuid', { name: 'router_id' })
  routerId!: string;

  /** The version of the router that has decided; null for none. */
  @Column('integer', { name: 'router_version', nullable: true })
  routerVersion!: number | null;

  /** Name of the rule that matched, as the trace has it; null for none. */
  @Column('text', { nullable: true })
  rule!: string | null;

  /** The place of the step that chose the user, 0 for the own pool of router or rule; null for no turn. */
  @Column('smallint', { nullable: true })
  step!: number | null;

  @Column('text', { name: 'object_type' })
  objectType!: ObjectType;

  @Column('uuid', { name: 'object_id' })
  objectId!: string;

  /** The new owner; null when nobody was assigned, or the owner stayed the same. */
  @Column('uuid', { name: 'user_id', nullable: true })
  userId!: string | null;

  /** The owner before. */
  @Column('uuid', { name: 'previous_user_id', nullable: true })
  previousUserId!: string | null;

  @Column('text')
  reason!: string;

  @Column('text')
  message!: string;

  /** Key of the rotation that gave the turn, so that it can be returned; null when no rotation moved. */
  @Column('text', { nullable: true })
  rotation!: string | null;

  /** Key of the team that took the turn; null when a user took it. */
  @Column('text', { nullable: true })
  team!: string | null;

  /** When the record was taken from its new owner soon after; limits do not count the entry from then on. */
  @Column('timestamptz', { name: 'returned_at', nullable: true })
  returnedAt!: Date | null;

  /** Whether the turn is returned and no dispatch of the router has taken that over. */
  @Column('boolean', { name: 'turn_owed', default: false })
  turnOwed!: boolean;

  /** The user who is charged for a returned turn; null for the whole pool. */
  @Column('uuid', { name: 'charged_to', nullable: true })
  chargedTo!: string | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;
}
