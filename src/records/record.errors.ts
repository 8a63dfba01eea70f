import type { DomainError } from '../errors/domain-error.js';
import { archived, invalid, notArchived, notFound, preconditionFailed } from '../errors/errors.js';
import { OBJECT_TYPE_RULES, type ObjectType } from '../fields/index.js';
import { capitalized } from '../text/capitalized.js';
import { sizeProblem, type LimitedChanges } from './record-size.js';
import type { StoredRecord } from './record-view.js';

/** @throws DomainError 400 for a write that would make a record too large */
export function requireRoom(before: StoredRecord['fields'], write: LimitedChanges): void {
  const problem = sizeProblem(before, write);
  if (problem !== undefined) throw invalid([problem], { code: 'invalid_fields' });
}

/** @throws DomainError 412 for a record that has none of the versions */
export function requireVersion(
  { object_type, version = '' }: StoredRecord,
  versions: readonly string[] | undefined,
): void {
  if (versions === undefined || versions.includes(version)) return;
  throw preconditionFailed(`The ${OBJECT_TYPE_RULES[object_type].singular} is no longer as If-Match says`);
}

/** 409 of a record that is not archived. */
export function recordActive(objectType: ObjectType): DomainError {
  return notArchived(`This ${OBJECT_TYPE_RULES[objectType].singular} is active`);
}

/** 404 of a record. */
export function recordNotFound(objectType: ObjectType): DomainError {
  const { singular } = OBJECT_TYPE_RULES[objectType];
  return notFound(`${capitalized(singular)} not found`);
}

/** 409 of an archived record that can only be restored. */
export function recordArchived(objectType: ObjectType): DomainError {
  return archived(`This ${OBJECT_TYPE_RULES[objectType].singular} is archived and cannot be changed`);
}
