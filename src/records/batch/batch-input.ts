import { Failures } from '../../errors/errors.js';
import { isPlainObject } from '../../text/is-plain-object.js';
import { requireKeys } from '../../validation/require-keys.js';
import { BATCH_RULES, type BatchAction } from './batch-action.js';

/** One input of a batch. */
export interface BatchInput {
  /** An id, or the value of the key by which the batch names records; empty for a create. */
  readonly id: string;
  /** As in a request body (clause 2.4). */
  readonly fields: unknown;
}

/**
 * Reads an input of a batch.
 * @throws DomainError 400 listing all that is wrong with its keys
 */
export function readInput(action: BatchAction, input: unknown): BatchInput {
  const { keys } = BATCH_RULES[action];
  const failures = new Failures();
  if (!isPlainObject(input)) {
    failures.add(() => ({ message: `An input must be an object with ${keys.join(' and ')}` }));
    failures.throwIfAny();
    return { id: '', fields: undefined };
  }
  requireKeys(input, keys, failures);
  const { id = '', fields } = input;
  if (typeof id !== 'string') failures.add(() => ({ field: 'id', message: 'id must be a string' }));
  failures.throwIfAny();
  return { id: id as string, fields };
}
