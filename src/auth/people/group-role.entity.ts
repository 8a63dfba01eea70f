import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { Role } from '../scope.js';

const KEY = { primaryKeyConstraintName: 'console_groups_pkey' };

/** A group of the provider whose people may enter the console of an account. */
@Entity('console_groups')
export class GroupRoleEntity {
  @PrimaryColumn('uuid', { name: 'account_id', ...KEY })
  accountId!: string;

  @Index('console_groups_name_idx')
  @PrimaryColumn('text', { name: 'name', ...KEY })
  group!: string;

  @Column('text')
  role!: Role;
}
