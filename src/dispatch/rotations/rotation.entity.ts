import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The state of a rotation: the credits of its members. It is written under the account's lock. */
@Entity('rotations')
export class RotationEntity {
  @PrimaryColumn('uuid', { name: 'account_id', primaryKeyConstraintName: 'rotations_pkey' })
  accountId!: string;

  @PrimaryColumn('uuid', { name: 'router_id', primaryKeyConstraintName: 'rotations_pkey' })
  routerId!: string;

  /** Empty for the router's own rotation. */
  @PrimaryColumn('text', { default: '', primaryKeyConstraintName: 'rotations_pkey' })
  key!: string;

  @Column('jsonb')
  state!: unknown;

  @Column('timestamptz', { name: 'updated_at' })
  updatedAt!: Date;
}
