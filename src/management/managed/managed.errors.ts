import { DomainError } from '../../errors/domain-error.js';
import { notFound } from '../../errors/errors.js';
import { capitalized } from '../../text/capitalized.js';
import type { ChangedObject } from '../change/configuration-change.js';

type Kind = ChangedObject['kind'];

/** 409: an active object of the account has the key already. @param field the key, such as `email` */
export function duplicate(
  kind: Kind,
  { field, existingId }: { readonly field: string; readonly existingId: string },
): DomainError {
  const message = `A ${kind} with this ${field} already exists`;
  const errors = [{ field, message, existing_id: existingId }];
  return new DomainError('duplicate', message, { field, existingId, errors });
}

/** 404: the account has no such object, or it cannot be archived again. */
export function objectNotFound(kind: Kind): DomainError {
  return notFound(`${capitalized(kind)} not found`);
}
