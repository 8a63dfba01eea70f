import { Injectable } from '@nestjs/common';
import type { ClientContext } from '../../auth/index.js';
import type { AccountConfiguration } from '../../configuration/index.js';
import type { DomainError } from '../../errors/domain-error.js';
import type { ObjectType } from '../../fields/index.js';
import { isPlainObject } from '../../text/is-plain-object.js';
import type { KeyValue } from '../record-key.js';
import { setsLongField } from '../record-size.js';
import { RecordValidator, type RecordSelection } from '../record-validator.js';
import { recordNotFound } from '../records.service.js';
import { upsertFields } from '../upsert-fields.js';
import type { Ended } from './ended.js';
import type { NamedBy } from './named-records.repository.js';
import { WritePlanner, type PlannedWrite, type SoundWrite } from './write-planner.js';

/** Writes of records of one type that are there, or may be there. */
export interface NamedWrites extends NamedBy {
  readonly action: 'update' | 'upsert' | 'archive' | 'restore';
  readonly writes: readonly {
    /** The id or the value of the key, in any form that the field takes. */
    readonly id: string;
    /** Of an update or an upsert, as in a request body (clause 2.4). */
    readonly fields: unknown;
    /** Of an upsert: what a new record gets, where that is more. */
    readonly whole?: unknown;
    /** Of an upsert: the id of the record for which `fields` are. Another one gets `whole`. */
    readonly of?: string | undefined;
  }[];
  readonly selection: RecordSelection;
  /** Is told of each that has ended; what it throws ends all. */
  readonly onEnded?: (ended: Ended) => void;
}

/** A write of which nothing is wrong so far. */
export interface NamedWrite {
  /** The id, or the key as it is stored. */
  readonly name: string;
  /** What it changes of a record that is there; undefined where it archives or restores. */
  readonly change: SoundWrite | undefined;
  /** The id of the only record of which `change` may be what is changed; undefined for any. */
  readonly of: string | undefined;
  /** What an upsert sets of a new record. It is validated when it is first asked for. */
  readonly create: () => PlannedWrite;
}

/** Writes, and the records that they name. */
export interface PlannedNamedWrites {
  readonly planned: readonly (NamedWrite | { readonly error: DomainError } | 'alone')[];
  /** The ids, or the keys as they are stored, each once. */
  readonly names: readonly string[];
}

/** Plans writes of records by their names, before any record is looked for (ADR 32). */
@Injectable()
export class NamedPlanner {
  constructor(
    private readonly planner: WritePlanner,
    private readonly validator: RecordValidator,
  ) {}

  /**
   * Plans writes. Alone is an upsert of which something is wrong, which depends on whether the record is
   * there, and what sets or shows a long field.
   */
  async plan(
    client: ClientContext,
    configuration: AccountConfiguration,
    { objectType, property, action, writes, selection }: NamedWrites,
  ): Promise<PlannedNamedWrites> {
    const isUpsert = action === 'upsert';
    const sent = writes.map(({ id, fields, whole = fields, of }) => {
      const name = this.validator.name(configuration, objectType, { property, value: id });
      if (!isUpsert || name === undefined) return { name, changed: fields, whole: undefined, of };
      const key = { property: property ?? '', value: name };
      const isKey = this.agrees(configuration, objectType, { fields, key });
      return isKey
        ? { name, ...upsertFields({ fields, whole }, key), of }
        : { name: undefined, changed: fields };
    });
    const fields = sent.flatMap(({ changed, whole }) => (whole === undefined ? [changed] : [changed, whole]));
    const plan = await this.planner.planning(client, configuration, { objectType, fields, selection });
    const hasFields = action === 'update' || isUpsert;
    const planned = sent.map(({ name, changed, whole, of }): PlannedNamedWrites['planned'][number] => {
      const change = hasFields ? plan(changed, 'update') : undefined;
      if (change === 'alone') return change;
      if (change !== undefined && 'error' in change) return isUpsert ? 'alone' : change;
      if (name === undefined) return isUpsert ? 'alone' : { error: recordNotFound(objectType) };
      if (change !== undefined && hasLongField(change)) return 'alone';
      return { name, change, of, create: once(() => plan(whole, 'create')) };
    });
    const names = sent.flatMap(({ name }) => (name === undefined ? [] : [name]));
    return { planned, names: [...new Set(names)] };
  }

  /** Whether fields have no other key than that of their upsert. */
  private agrees(
    configuration: AccountConfiguration,
    objectType: ObjectType,
    { fields, key: { property, value } }: { readonly fields: unknown; readonly key: KeyValue },
  ): boolean {
    if (!isPlainObject(fields) || !Object.hasOwn(fields, property)) return true;
    const same = { property, value: fields[property] as string };
    return this.validator.name(configuration, objectType, same) === value;
  }
}

/** Returns what makes a value when it is first asked for. */
function once<T extends object | string>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

/** Whether a write sets a long field, or its answer shows one. */
function hasLongField({ values, extras }: SoundWrite): boolean {
  return setsLongField(values) || extras.some((name) => values.limit.apart.includes(name));
}
