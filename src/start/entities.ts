import { AccountKeyEntity } from '../accounts/account-key.entity.js';
import { AccountEntity } from '../accounts/account.entity.js';
import { AssignmentDayEntity } from '../assignments/assignment-day.entity.js';
import { AssignmentEntity } from '../assignments/assignment.entity.js';
import { AssignmentTraceEntity } from '../assignments/assignment-trace.entity.js';
import { ApiClientEntity } from '../auth/api-client.entity.js';
import { GroupRoleEntity } from '../auth/people/group-role.entity.js';
import { LinkEntity } from '../auth/people/link.entity.js';
import { MemberEntity } from '../auth/people/member.entity.js';
import { SessionEntity } from '../auth/people/session.entity.js';
import { CapacityEntity } from '../capacities/capacity.entity.js';
import { TeamEntity } from '../directory/team.entity.js';
import { UserEntity } from '../directory/user.entity.js';
import { RotationEntity } from '../dispatch/rotations/rotation.entity.js';
import { ProcessEntity } from '../health/process.entity.js';
import { IdempotencyKeyEntity } from '../idempotency/idempotency-key.entity.js';
import { FieldDefinitionEntity } from '../fields/field-definition.entity.js';
import { AuditEntryEntity } from '../management/change/audit-entry.entity.js';
import { RecordCountChangeEntity } from '../records/counts/record-count-change.entity.js';
import { RecordCountEntity } from '../records/counts/record-count.entity.js';
import { RecordCounterEntity } from '../records/counts/record-counter.entity.js';
import { RecordChangeEntity } from '../records/history/record-change.entity.js';
import { RecordIndexKeyEntity } from '../records/indexes/record-index-key.entity.js';
import { RecordIndexEntity } from '../records/indexes/record-index.entity.js';
import { RecordEntity } from '../records/record.entity.js';
import { RouterEntity } from '../routers/router.entity.js';
import { RouterVersionEntity } from '../routers/router-version.entity.js';
import { RequestCountEntity } from '../throttles/request-count.entity.js';
import type { EntityClass, MigrationClass } from '../database/index.js';
import type { FairleadExtension } from '../extensions/index.js';

/** The entities of all tables. CI compares them with what the migrations build. */
export const ENTITIES = [
  AccountEntity,
  AccountKeyEntity,
  ApiClientEntity,
  AssignmentDayEntity,
  AssignmentEntity,
  AssignmentTraceEntity,
  AuditEntryEntity,
  CapacityEntity,
  FieldDefinitionEntity,
  GroupRoleEntity,
  IdempotencyKeyEntity,
  LinkEntity,
  MemberEntity,
  ProcessEntity,
  RecordChangeEntity,
  RecordCountChangeEntity,
  RecordCountEntity,
  RecordCounterEntity,
  RecordEntity,
  RecordIndexEntity,
  RecordIndexKeyEntity,
  RequestCountEntity,
  RotationEntity,
  RouterEntity,
  RouterVersionEntity,
  SessionEntity,
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
