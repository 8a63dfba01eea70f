import { DomainError } from '../../errors/domain-error.js';
import type { ChangedObject } from './planned-change.js';

/** 409: an active object of the account has the key already. @param field the key, such as `email` */
export function duplicate(
  kind: ChangedObject['kind'],
  { field, existingId }: { readonly field: string; readonly existingId: string },
): DomainError {
  const message = `A ${kind} with this ${field} already exists`;
  return new DomainError('duplicate', message, {
    field,
    existingId,
    errors: [{ field, message, existing_id: existingId }],
  });
}
