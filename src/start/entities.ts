import { AccountEntity } from '../accounts/account.entity.js';
import { ApiClientEntity } from '../auth/api-client.entity.js';
import { GroupRoleEntity } from '../auth/people/group-role.entity.js';
import { MemberEntity } from '../auth/people/member.entity.js';
import { CapacityEntity } from '../capacities/capacity.entity.js';
import { TeamEntity } from '../directory/team.entity.js';
import { UserEntity } from '../directory/user.entity.js';
import { FieldDefinitionEntity } from '../fields/field-definition.entity.js';
import { AuditEntryEntity } from '../management/change/audit-entry.entity.js';
import { RouterEntity } from '../routers/router.entity.js';
import { RouterVersionEntity } from '../routers/router-version.entity.js';
import type { EntityClass, MigrationClass } from '../database/index.js';
import type { FairleadExtension } from '../extensions/index.js';

/**
 * The entities of the tables that TypeORM knows. CI compares them with what the migrations build. Tables that
 * named SQL alone reads and writes have none: the migrations say what they have.
 */
export const ENTITIES = [
  AccountEntity,
  ApiClientEntity,
  AuditEntryEntity,
  CapacityEntity,
  FieldDefinitionEntity,
  GroupRoleEntity,
  MemberEntity,
  RouterEntity,
  RouterVersionEntity,
  TeamEntity,
  UserEntity,
];

/** Returns the entities of the service and of its extensions. */
export function entitiesWith(extensions: readonly FairleadExtension[]): readonly EntityClass[] {
  return [...ENTITIES, ...extensions.flatMap(({ entities = [] }) => entities)];
}

/** Returns the migrations of extensions. */
export function migrationsWith(extensions: readonly FairleadExtension[]): readonly MigrationClass[] {
  return extensions.flatMap(({ migrations = [] }) => migrations);
}
