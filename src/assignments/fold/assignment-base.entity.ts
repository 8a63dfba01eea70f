import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * The number of entries of a series that its blocks count and that were dropped. The numbers `before` of its
 * blocks count them too. A series of which none were dropped has no row.
 */
@Entity('assignment_bases')
export class AssignmentBaseEntity {
  @PrimaryColumn('uuid', { name: 'account_id', primaryKeyConstraintName: 'assignment_bases_pkey' })
  accountId!: string;

  @PrimaryColumn('uuid', { name: 'router_id', primaryKeyConstraintName: 'assignment_bases_pkey' })
  routerId!: string;

  @PrimaryColumn('text', { name: 'user_email', primaryKeyConstraintName: 'assignment_bases_pkey' })
  userEmail!: string;

  @Column('bigint')
  entries!: string;
}
