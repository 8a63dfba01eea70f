import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

const KEY = { primaryKeyConstraintName: 'returned_assignments_pkey' };

/**
 * An assignment whose record was taken from its user soon after. It counts for no limit, and the turn by
 * which it was made is returned.
 */
@Entity('returned_assignments')
@Index('returned_assignments_user_idx', ['accountId', 'userEmail', 'assignedAt'])
@Index('returned_assignments_turn_idx', ['accountId', 'routerId', 'assignmentId'], {
  where: 'rotation_key IS NOT NULL',
})
export class ReturnedAssignmentEntity {
  @PrimaryColumn('uuid', { name: 'account_id', ...KEY })
  accountId!: string;

  @PrimaryColumn('uuid', { name: 'assignment_id', ...KEY })
  assignmentId!: string;

  /** E-mail of the user who had got the record. */
  @Column('text', { name: 'user_email' })
  userEmail!: string;

  @Column('timestamptz', { name: 'assigned_at' })
  assignedAt!: Date;

  @Column('timestamptz', { name: 'returned_at' })
  returnedAt!: Date;

  @Column('uuid', { name: 'router_id' })
  routerId!: string;

  /**
   * The rotation that gave the turn, until a dispatch of the router has taken the return over; null for no
   * turn.
   */
  @Column('text', { name: 'rotation_key', nullable: true })
  rotationKey!: string | null;

  /** The key of the team that took the turn. */
  @Column('text', { nullable: true })
  team!: string | null;

  /** E-mail of the user who is charged for the turn; null for the whole pool. */
  @Column('text', { name: 'new_owner', nullable: true })
  newOwner!: string | null;
}
