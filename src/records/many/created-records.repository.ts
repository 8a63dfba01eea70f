import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import type { AccountContext } from '../../accounts/index.js';
import type { Queryable } from '../../database/index.js';
import { assignedDateOf, OBJECT_TYPE_RULES, type ObjectType } from '../../fields/index.js';
import { DuplicateRecordError } from '../duplicate-record.error.js';
import { WriteAuthors, type Writer } from '../history/write-authors.js';
import { collisionsOf, keysSet, ownKey, type Holders } from '../keeping-keys-unique.js';
import { setValues, type RecordValues } from '../records.repository.js';
import type { StoredRecord } from '../stored-record.js';
import { FIND_HOLDERS, INSERT_RECORDS } from './created-records.statements.js';

/** Records of a type that are created together. */
export interface NewRecords {
  readonly objectType: ObjectType;
  /** The configuration version that the values were validated against. */
  readonly version: string;
  /** In the order in which they are created. */
  readonly records: readonly RecordValues[];
}

/** Characters of an id behind its time: it is found by them in what a statement returns. */
const ENDING = 17;

/**
 * Creates many records with one statement. It must be part of a transaction: a lost answer is not looked for.
 */
@Injectable()
export class CreatedRecordsRepository {
  constructor(private readonly authors: WriteAuthors) {}

  /**
   * Creates records, as if one after the other.
   * @returns for each the new record, or why it is a duplicate. Undefined where neither can be told: the
   *   configuration has changed, in which case nothing is written, or the record in its way has gone
   */
  async insert(
    db: Queryable,
    account: Writer,
    created: NewRecords,
  ): Promise<(StoredRecord | DuplicateRecordError | undefined)[]> {
    const { objectType, version, records } = created;
    const endings = records.map(() => randomUUID().slice(-ENDING));
    const turns = inOrderOfKeys(objectType, records);
    const sorted = turns.flatMap((place) => {
      const record = records[place];
      return record === undefined ? [] : [{ ...record, ending: endings[place] }];
    });
    const rows = await db.query<StoredRecord>(INSERT_RECORDS, [
      account.accountId,
      version,
      objectType,
      sorted.map(({ changes }) => setValues(changes)),
      sorted.map(({ owners }) => arrayText(owners.map(assignedDateOf))),
      sorted.map(({ ending }) => ending),
      ownKey(objectType),
      OBJECT_TYPE_RULES[objectType].ownerField,
      this.authors.of(account),
      turns,
    ]);
    const places = new Map(endings.map((ending, place) => [ending, place]));
    const results: (StoredRecord | DuplicateRecordError | undefined)[] = records.map(() => undefined);
    for (const row of rows) {
      const place = places.get(row.id.slice(-ENDING));
      if (place !== undefined) results[place] = row;
    }
    if (rows.length === records.length) return results;
    await this.findHolders(db, account, { ...created, results });
    return results;
  }

  /** Says of the records that were left out which others have their keys. */
  private async findHolders(
    db: Queryable,
    { accountId }: AccountContext,
    { objectType, records, results }: NewRecords & { results: (StoredRecord | Error | undefined)[] },
  ): Promise<void> {
    const places = new Map(
      results.flatMap((each, place) => (each !== undefined && 'id' in each ? [[each.id, place]] : [])),
    );
    const left = records
      .map(({ changes }, place) => ({ place, keys: keysSet(objectType, changes) }))
      .filter(({ place, keys }) => results[place] === undefined && keys.some((key) => key !== null));
    if (left.length === 0) return;
    const [own, external] = [0, 1].map((column) => left.map(({ keys }) => keys[column]));
    const rows = await db.query<Holders>(FIND_HOLDERS, [accountId, objectType, own, external]);
    for (const [index, { place }] of left.entries()) {
      // A record that was created behind this one was not in its way.
      const collisions = collisionsOf(objectType, rows[index]).filter(
        ({ existingId = '' }) => (places.get(existingId) ?? -1) < place,
      );
      if (collisions.length > 0) results[place] = new DuplicateRecordError(objectType, collisions);
    }
  }
}

/**
 * Returns the places of records in the order in which they are written: in that of their keys, so that two
 * statements that create the same ones wait for each other; as given, where two have the same key.
 */
function inOrderOfKeys(objectType: ObjectType, records: readonly RecordValues[]): number[] {
  const sorted = records.map(({ changes }, place) => ({ place, keys: keysSet(objectType, changes) }));
  const isAmbiguous = [0, 1].some((column) => {
    const set = sorted.flatMap(({ keys }) => keys[column] ?? []);
    return new Set(set).size < set.length;
  });
  const name = ({ keys }: (typeof sorted)[number]): string => keys.map((key) => key ?? '').join(' ');
  if (!isAmbiguous) sorted.sort((a, b) => (name(a) < name(b) ? -1 : 1));
  return sorted.map(({ place }) => place);
}

/** Returns a text[] as PostgreSQL reads it. @param names without quotes and backslashes */
export const arrayText = (names: readonly string[]): string =>
  `{${names.map((name) => `"${name}"`).join(',')}}`;
