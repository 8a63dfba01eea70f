import { Injectable } from '@nestjs/common';
import type { ClientContext } from '../auth/index.js';
import { ConfigurationCache, type AccountConfiguration } from '../configuration/index.js';
import { DomainError } from '../errors/domain-error.js';
import { DuplicateError } from '../errors/duplicate.error.js';
import { Failures, preconditionFailed } from '../errors/errors.js';
import { OBJECT_TYPE_RULES } from '../fields/index.js';
import type { Preconditions } from '../http/index.js';
import { isPlainObject } from '../text/is-plain-object.js';
import { shownName } from '../text/shown-name.js';
import { namedBy, type RecordName } from './record-key.js';
import type { RecordSelection } from './record-selection.js';
import { RecordValidator, type RecordAddress } from './record-validator.js';
import { viewIn, type RecordView } from './record-view.js';
import { requireRoom, requireVersion } from './record.errors.js';
import { RecordsService, type Fields } from './records.service.js';

interface Upsert extends Fields {
  /** What a new record gets, and one that is not `onlyForId`, where that is more than `fields`. */
  readonly fieldsIfNew?: unknown;
  /** The id of the only record that gets `fields`; undefined for any. */
  readonly onlyForId?: string | undefined;
  readonly preconditions?: Preconditions;
}

/** Updates records by their unique keys, or creates them (contract section 7, "By key"). */
@Injectable()
export class UpsertsService {
  constructor(
    private readonly configurations: ConfigurationCache,
    private readonly validator: RecordValidator,
    private readonly records: RecordsService,
  ) {}

  /**
   * Updates the active record that has the key, or creates it with that key. Requests for one key that arrive
   * together create one record. @param upsert without `property`, which is a failure of the request
   * @throws DomainError 400 for failing fields or properties, a key that the field cannot have or that is not
   *   that of the fields, and a record that would be too large; 409 for a duplicate of another key; 412
   */
  upsert(
    client: ClientContext,
    { fields, fieldsIfNew = fields, onlyForId, preconditions = {}, ...address }: RecordAddress & Upsert,
    { properties = [], failures: found }: RecordSelection = {},
  ): Promise<{ readonly record: RecordView; readonly created: boolean }> {
    const { objectType, property = '' } = address;
    return this.configurations.use(client, async (configuration) => {
      const failures = new Failures();
      if (found !== undefined) failures.take(found);
      const selection = { properties, failures };
      const record = this.recordOf(configuration, address, { fields, failures });
      const validated = (sent: unknown) =>
        this.records
          .validated(
            client,
            { objectType, fields: withoutKey(sent, address.property), mode: 'update' },
            { configuration, selection },
          )
          .catch(refused);
      // Of a new record, more may be wrong.
      const update = await validated(fields);
      if (record === undefined || failures.any)
        throw update instanceof Error ? update : new Error('An upsert needs a key');
      const { versions } = preconditions;
      return this.records.again(client, configuration, async () => {
        const isOther =
          onlyForId !== undefined && (await this.records.present(client, record))?.id !== onlyForId;
        const sound = isOther ? await validated(fieldsIfNew) : update;
        if (!(sound instanceof Error) && preconditions.isNew !== true) {
          const { values, extras } = sound;
          const change = { record, values, versions, onlyForId: isOther ? undefined : onlyForId };
          const row = await this.records.change(client, configuration, change);
          if (row !== undefined) return { record: viewIn(configuration, row, extras), created: false };
        }
        const present = await this.records.present(client, record);
        const { singular } = OBJECT_TYPE_RULES[objectType];
        if (present === undefined) {
          if (preconditions.exists === true)
            throw preconditionFailed(`There is no ${singular} as If-Match says`);
          const made = { objectType, fields: withKey(fieldsIfNew, property, address.id) };
          try {
            return { record: await this.records.create(client, made, selection), created: true };
          } catch (error) {
            // Another request has taken the key meanwhile.
            if (error instanceof DuplicateError && error.concerns(singular, property)) return undefined;
            throw error;
          }
        }
        if (preconditions.isNew === true)
          throw preconditionFailed(`A ${singular} has this key already (If-None-Match: *)`);
        if (sound instanceof Error) throw sound;
        requireVersion(present, versions);
        requireRoom(present.fields, sound.values);
        return undefined;
      });
    });
  }

  /** How statements name the record. Adds to `failures` what is wrong with the key, which fields may have. */
  private recordOf(
    configuration: AccountConfiguration,
    { objectType, id, property }: RecordAddress,
    { fields, failures }: Fields & { readonly failures: Failures },
  ): RecordName | undefined {
    if (property === undefined) return undefined;
    const result = this.validator.key(configuration, objectType, { property, value: id });
    if (result.key === undefined) {
      failures.addFields([result.error]);
      return undefined;
    }
    const { value: name } = result.key;
    if (this.validator.hasOtherKey(configuration, { objectType, property, name }, fields)) {
      const message = `${property} must be ${shownName(name)}, which names the record, or absent`;
      failures.addFields([{ field: property, message }]);
    }
    return { objectType, by: namedBy(property), name };
  }
}

/** Returns what an upsert changes of a record that is there: all but the key. */
export function withoutKey(fields: unknown, property: string | undefined): unknown {
  if (property === undefined || !isPlainObject(fields) || !Object.hasOwn(fields, property)) return fields;
  const { [property]: _, ...others } = fields;
  return others;
}

/** Returns what an upsert sets of a new record: the key too, as it is stored. */
export function withKey(fields: unknown, property: string | undefined, name: string): unknown {
  if (property === undefined || !isPlainObject(fields)) return fields;
  return { [property]: name, ...(withoutKey(fields, property) as object) };
}

/** Returns what is wrong with a request. @throws what is no fault of it */
function refused(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  throw error;
}
