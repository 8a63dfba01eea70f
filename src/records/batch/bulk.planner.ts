import { Injectable } from '@nestjs/common';
import type { ClientContext } from '../../auth/index.js';
import type { AccountConfiguration } from '../../configuration/index.js';
import { DomainError } from '../../errors/domain-error.js';
import type { ObjectType } from '../../fields/index.js';
import { PAGE_BYTES } from '../../paging/index.js';
import { RecordHooks } from '../record-hooks.js';
import { keysIn, namedBy } from '../record-key.js';
import type { RecordSelection } from '../record-selection.js';
import { setsLongField } from '../record-size.js';
import { RecordValidator } from '../record-validator.js';
import type { RecordView } from '../record-view.js';
import { recordNotFound } from '../record.errors.js';
import { namesByKey, ReferenceResolver } from '../references/reference-resolver.js';
import { withKey, withoutKey } from '../upserts.service.js';

/** Writes of records of one type. */
export interface BulkWrites {
  readonly objectType: ObjectType;
  readonly action: 'create' | 'update' | 'upsert' | 'archive' | 'restore';
  /** The key by which inputs name records; undefined for ids. */
  readonly property?: string | undefined;
  readonly inputs: readonly BulkInput[];
  readonly selection: RecordSelection;
  /** Is told of each record that was written; what it throws ends all. */
  readonly onRecord?: (record: RecordView) => void;
}

/** One write. */
export interface BulkInput {
  /** The id or the value of the key, in any form that the field takes; empty for a create. */
  readonly id: string;
  /** Of a create, an update or an upsert, as in a request body (clause 2.4). */
  readonly fields: unknown;
  /** Of an upsert: as of `UpsertsService.upsert`. */
  readonly fieldsIfNew?: unknown;
  readonly onlyForId?: string | undefined;
}

/** What is the same for all inputs of a call. */
export interface BulkContext {
  readonly client: ClientContext;
  readonly configuration: AccountConfiguration;
  readonly writes: BulkWrites;
}

/** Values of which nothing is wrong, and the properties that the answer shows. */
type SoundValues = ReturnType<RecordValidator['validate']>;

/** What is known of an input before it is done. One without `touches` and `error` is done by itself. */
export interface PlannedInput {
  readonly input: BulkInput;
  /** Id, or key as it is compared, of the record that it may change; undefined where there is none. */
  readonly name?: string | undefined;
  /** What is changed of a record that is there; undefined where it is created, archived or restored. */
  readonly change?: SoundValues | undefined;
  /** The record that is created, or would be. */
  readonly created?: SoundValues | undefined;
  /** The names and keys that no other write of the same statement may have. */
  readonly touches?: readonly string[];
  /** Why it is refused, whatever the others do. */
  readonly error?: DomainError;
}

/** Tells which of many writes can be done by one statement (ADR 32). */
@Injectable()
export class BulkPlanner {
  /** How many records may be changed together: a statement returns them whole, but for long fields. */
  private readonly most: number;

  constructor(
    private readonly validator: RecordValidator,
    private readonly references: ReferenceResolver,
    private readonly hooks: RecordHooks,
  ) {
    this.most = Math.max(1, Math.floor(PAGE_BYTES / validator.maxBytes));
  }

  /**
   * Validates inputs. By itself is done what names a record of its own type by a key, which another input may
   * set; what sets or shows a long field; what a hook may take part in; and an upsert of which something is
   * wrong, which depends on whether the record is there.
   */
  async plan({ client, configuration, writes }: BulkContext): Promise<PlannedInput[]> {
    const { objectType, property, action, inputs, selection } = writes;
    const key = action === 'upsert' ? property : undefined;
    const sent = inputs.map((input) => {
      const { id, fields, fieldsIfNew = fields } = input;
      const address = { objectType, id, property };
      const name = action === 'create' ? undefined : this.validator.name(configuration, address)?.name;
      return { input, name, changed: withoutKey(fields, key), whole: withKey(fieldsIfNew, key, id) };
    });
    const fields = sent.flatMap(({ changed, whole }) => [changed, whole]);
    const findRecord = await this.references.resolve(client, configuration, { objectType, fields });
    const references = configuration.catalog.references(objectType);
    const planOne = async ({ input, name, changed, whole }: (typeof sent)[number]): Promise<PlannedInput> => {
      const single = { input, name };
      const validated = (each: unknown, mode: 'create' | 'update'): SoundValues =>
        this.validator.validate(configuration, { objectType, fields: each, mode, findRecord }, selection);
      const changes = action === 'update' || action === 'upsert';
      if (namesByKey(whole, references, objectType)) return single;
      try {
        const change = changes ? validated(changed, 'update') : undefined;
        if (action === 'upsert') {
          const named = { objectType, property, name };
          if (this.validator.hasOtherKey(configuration, named, input.fields)) return single;
        }
        const create = (): SoundValues => validated(whole, 'create');
        const created =
          action === 'create' ? create() : action === 'upsert' ? soundOrNone(create) : undefined;
        if (name === undefined && action !== 'create')
          return action === 'upsert' ? single : { input, error: recordNotFound(objectType) };
        if (change !== undefined && hasLongField(change)) return single;
        if (await this.mayHook({ client, configuration, writes }, { change, created })) return single;
        const touches = [
          ...(name === undefined ? [] : [`${namedBy(property)} ${name}`]),
          ...keysOf(objectType, created ?? change),
        ];
        return { ...single, change, created, touches };
      } catch (error) {
        // A hook that fails undoes the batch, as where it is done by itself.
        if (!(error instanceof DomainError) || error.status >= 500) throw error;
        return action === 'upsert' ? single : { input, error };
      }
    };
    const planned: PlannedInput[] = [];
    for (const each of sent) planned.push(await planOne(each));
    return planned;
  }

  /** Returns the first inputs: as many as may be done together, or one to be done by itself. */
  group({ action }: BulkWrites, planned: readonly PlannedInput[]): readonly PlannedInput[] {
    const touched = new Set<string>();
    let end = 0;
    for (const { error, touches } of planned.slice(0, action === 'create' ? Infinity : this.most)) {
      if (error === undefined && touches?.some((each) => touched.has(each)) !== false) break;
      for (const each of touches ?? []) touched.add(each);
      end++;
    }
    return planned.slice(0, Math.max(1, end));
  }

  /** Whether a hook may take part in a write: in the update or the creation, of an upsert. */
  private async mayHook(
    { client, configuration, writes: { objectType, action } }: BulkContext,
    { change, created }: Pick<PlannedInput, 'change' | 'created'>,
  ): Promise<boolean> {
    const common = { client, objectType, configuration };
    if (action === 'archive' || action === 'restore')
      return this.hooks.concern({ ...common, action, changes: new Map() });
    const write = (what: 'create' | 'update', { values: { changes } }: SoundValues): Promise<boolean> =>
      this.hooks.concern({ ...common, action: what, changes });
    if (change !== undefined && (await write('update', change))) return true;
    return created !== undefined && write('create', created);
  }
}

function soundOrNone(validate: () => SoundValues): SoundValues | undefined {
  try {
    return validate();
  } catch (error) {
    if (error instanceof DomainError) return undefined;
    throw error;
  }
}

/** Whether a write sets a long field, or its answer shows one. */
function hasLongField({ values, extras }: SoundValues): boolean {
  return setsLongField(values) || extras.some((name) => values.limit.apart.includes(name));
}

function keysOf(objectType: ObjectType, sound: SoundValues | undefined): string[] {
  if (sound === undefined) return [];
  const keys = Object.entries(keysIn(objectType, sound.values.changes));
  return keys.flatMap(([column, value]) => (value === null ? [] : [`${column} ${value}`]));
}
