import { ArrayMaxSize, ArrayMinSize, IsArray, IsBoolean, IsString } from 'class-validator';
import type { DomainError } from '../../errors/domain-error.js';
import { Failures } from '../../errors/errors.js';
import { isPlainObject } from '../../text/is-plain-object.js';
import { MayBeAbsent } from '../../validation/decorators.js';
import { requireKeys } from '../../validation/require-keys.js';
import { NameList } from '../search/search.dto.js';

/** What a batch does with each of its inputs (contract section 7). */
export const BATCH_ACTIONS = ['create', 'read', 'update', 'upsert', 'archive', 'restore'] as const;

export type BatchAction = (typeof BATCH_ACTIONS)[number];

interface ActionRule {
  /** The keys that an input has, all of them. */
  readonly keys: readonly ('id' | 'fields')[];
  /** Whether inputs may be named by a unique key, or must. */
  readonly byKey: 'never' | 'maybe' | 'always';
}

export const BATCH_RULES: Readonly<Record<BatchAction, ActionRule>> = {
  create: { keys: ['fields'], byKey: 'never' },
  read: { keys: ['id'], byKey: 'maybe' },
  update: { keys: ['id', 'fields'], byKey: 'maybe' },
  upsert: { keys: ['id', 'fields'], byKey: 'always' },
  archive: { keys: ['id'], byKey: 'maybe' },
  restore: { keys: ['id'], byKey: 'never' },
};

/** The most inputs of a batch. */
export const MOST_INPUTS = 500;

const COUNT = `inputs must have 1 to ${MOST_INPUTS} objects`;

/** The body of `POST /{type}/batch/{action}` (contract section 7), before inputs and names are looked at. */
export class BatchDto {
  @ArrayMaxSize(MOST_INPUTS, { message: COUNT })
  @ArrayMinSize(1, { message: COUNT })
  @IsArray({ message: COUNT })
  inputs!: unknown[];

  @MayBeAbsent()
  @IsBoolean({ message: 'atomic must be true or false' })
  atomic?: boolean;

  @MayBeAbsent()
  @IsString({ message: 'id_property must be the name of a unique key' })
  id_property?: string;

  @NameList('properties')
  properties?: string[];
}

/** The body of `POST /{type}/batch/read` (contract section 7), before inputs and names are looked at. */
export class BatchReadDto extends BatchDto {
  /** References to show as the records that they name. */
  @NameList('expand')
  expand?: string[];
}

/** One input of a batch. */
interface BatchInput {
  /** An id, or the value of the key by which the batch names records; empty for a create. */
  readonly id: string;
  /** As in a request body (clause 2.4). */
  readonly fields: unknown;
}

/** Reads an input. @returns it, or what is wrong with its keys */
export function readInput(action: BatchAction, input: unknown): BatchInput | { readonly error: DomainError } {
  const { keys } = BATCH_RULES[action];
  const failures = new Failures();
  const { id = '', fields }: Partial<BatchInput> = isPlainObject(input) ? input : {};
  if (isPlainObject(input)) requireKeys(input, keys, failures);
  else failures.add(() => ({ message: `An input must be an object with ${keys.join(' and ')}` }));
  if (typeof id !== 'string') failures.add(() => ({ field: 'id', message: 'id must be a string' }));
  const error = failures.toError();
  return error === undefined ? { id, fields } : { error };
}
