import { Injectable } from '@nestjs/common';
import type { ClientContext } from '../../auth/index.js';
import type { AccountConfiguration } from '../../configuration/index.js';
import { DomainError } from '../../errors/domain-error.js';
import type { ObjectType } from '../../fields/index.js';
import { RecordHooks, type RecordWrite } from '../record-hooks.js';
import { RecordValidator, type RecordSelection } from '../record-validator.js';
import { namesByKey, ReferenceResolver } from '../references/reference-resolver.js';
import type { RecordValues } from '../records.repository.js';

/** What is written of records of one type, as it was sent. */
export interface SentWrites {
  readonly objectType: ObjectType;
  /** Values by internal name, of each write, as in a request body (clause 2.4). */
  readonly fields: readonly unknown[];
  readonly selection: RecordSelection;
}

/** A write of which nothing is wrong so far. */
export interface SoundWrite {
  readonly values: RecordValues;
  /** Properties that the answer shows. */
  readonly extras: readonly string[];
}

/**
 * What is known of a write before any of them is done: what it sets; that it is refused, whatever the others
 * do; or that it has to be done alone, in its turn.
 */
export type PlannedWrite = SoundWrite | { readonly error: DomainError } | 'alone';

/** Tells which of many writes can be done together (ADR 32). */
@Injectable()
export class WritePlanner {
  constructor(
    private readonly validator: RecordValidator,
    private readonly hooks: RecordHooks,
    private readonly references: ReferenceResolver,
  ) {}

  /**
   * Looks for all records that the references of writes name, with one statement.
   * @returns what validates each of them. A write is done alone where it names a record of its own type by a
   *   key, which may be one that another write sets
   */
  async planning(
    client: ClientContext,
    configuration: AccountConfiguration,
    { objectType, fields, selection }: SentWrites,
  ): Promise<(fields: unknown, mode: 'create' | 'update') => PlannedWrite> {
    const references = configuration.catalog.references(objectType);
    const findRecord = await this.references.resolve(client, configuration, { objectType, fields });
    return (each, mode) => {
      if (namesByKey(each, references, objectType)) return 'alone';
      try {
        const write = { objectType, fields: each, mode, findRecord };
        return this.validator.validate(configuration, write, selection);
      } catch (error) {
        if (error instanceof DomainError) return { error };
        throw error;
      }
    };
  }

  /**
   * Whether a write has to be done alone because hooks have steps in it. A hook that fails does so again when
   * the write is done.
   */
  async hasSteps(write: RecordWrite): Promise<boolean> {
    if (!this.hooks.any) return false;
    try {
      return (await this.hooks.stepsOf(write)).length > 0;
    } catch {
      return true;
    }
  }
}
