import type { ClientContext } from '../../auth/index.js';
import type { AccountConfiguration } from '../../configuration/index.js';
import type { FieldChanges, ObjectType } from '../../fields/index.js';
import { ownKey } from '../keeping-keys-unique.js';
import { keyColumn, type KeyColumn } from '../record-key.js';
import type { Ended } from './ended.js';
import type { GroupSize } from './group-size.js';
import type { NamedWrites } from './named-planner.js';
import type { FoundRecord, NamedBy } from './named-records.repository.js';
import type { Touches } from './touched.js';
import type { SoundWrite } from './write-planner.js';

/** What writes are for that are done in one call. */
export interface StepContext {
  readonly client: ClientContext;
  readonly configuration: AccountConfiguration;
  readonly named: NamedWrites;
  /** How many of the next writes are looked at. */
  readonly size: GroupSize;
  /** The records that were found when they were locked, by name, while none of them is written. */
  readonly known?: ReadonlyMap<string, FoundRecord> | undefined;
}

/**
 * What is done for a write, once it is known what its name names: the first of these that it has. One that
 * has none is done alone.
 */
export interface NamedStep extends Touches {
  /** It is refused. */
  readonly ended?: Ended;
  /** A record is created. */
  readonly create?: SoundWrite;
  /** This one is written. */
  readonly found?: FoundRecord;
  /** What of it is changed; undefined where it is archived or restored. */
  readonly change?: SoundWrite | undefined;
  /** The id, or the key as it is stored. */
  readonly name: string;
}

const touch = (column: KeyColumn, value: string): string => `${column} ${value}`;

/** The key by which a write is named. */
export function touchedName({ property }: NamedBy, name: string): string[] {
  return property === undefined ? [] : [touch(keyColumn(property), name)];
}

/** The keys that changes give to a record, and those that it gives back for them. */
export function touchedKeys(
  objectType: ObjectType,
  changes: FieldChanges,
  before?: Pick<FoundRecord, 'unique_key' | 'external_id'>,
): string[] {
  const of = (field: string | null): string[] => {
    if (field === null || !changes.has(field)) return [];
    const column = keyColumn(field);
    const values = [before?.[column] ?? null, changes.get(field) ?? null];
    if (values[0] === values[1]) return [];
    return values.flatMap((value) => (value === null ? [] : [touch(column, value)]));
  };
  return [...of(ownKey(objectType)), ...of('external_id')];
}

/** The keys that a record takes again when it is restored. */
export function ownKeys({ unique_key, external_id }: FoundRecord): string[] {
  return [
    ...(unique_key === null ? [] : [touch('unique_key', unique_key)]),
    ...(external_id === null ? [] : [touch('external_id', external_id)]),
  ];
}
