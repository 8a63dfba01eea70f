import { Injectable } from '@nestjs/common';
import { AccountsRepository, type AccountContext } from '../../accounts/index.js';
import { OUTDATED, type AccountConfiguration } from '../../configuration/index.js';
import { Database, newId, type Transaction } from '../../database/index.js';
import type { FieldChanges, ObjectType } from '../../fields/index.js';
import { RecordValidator, ReferenceResolver, type StoredRecord } from '../../records/index.js';
import { Decider, type Decided, type ReadDecisions } from '../decision/decider.js';
import type { RouterSnapshot } from '../snapshot/router-snapshots.js';
import { DispatchLoader } from '../transaction/dispatch-loader.js';
import { refusalOf } from '../transaction/dispatch-result.js';

/** Records that do not exist. */
export interface ImaginedRecords {
  /** The fields of each, as in a create. */
  readonly fields: readonly unknown[];
  /** @param imagine makes a record of fields. @throws DomainError 400 for what is wrong with them */
  readonly make: (imagine: (fields: unknown) => StoredRecord) => readonly StoredRecord[];
}

/** What a router is to decide on. */
export interface Rehearsed {
  readonly snapshot: RouterSnapshot;
  /** The id of a stored record, well-formed, or records that do not exist. */
  readonly subject: string | ImaginedRecords;
  /** The instant of every decision. Default: now, by the clock of the database. */
  readonly at?: Date | undefined;
  /** Called now and then with the number of decisions so far. */
  readonly onProgress?: ((decided: number) => void) | undefined;
}

/** What would be decided at an instant. */
export interface Rehearsal {
  readonly at: Date;
  readonly decided: readonly Decided[];
}

/** Decides as a dispatch would, on all that the database has at one instant, and writes nothing. */
@Injectable()
export class Rehearsals {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountsRepository,
    private readonly loader: DispatchLoader,
    private readonly references: ReferenceResolver,
    private readonly decider: Decider,
    private readonly validator: RecordValidator,
  ) {}

  /**
   * Decides on one record after the other; OUTDATED where the account has another configuration by now.
   * @throws DomainError what a dispatch would refuse a stored record with, and what `make` throws
   */
  async run(
    account: AccountContext,
    configuration: AccountConfiguration,
    { snapshot, subject, at: wanted, onProgress }: Rehearsed,
  ): Promise<Rehearsal | typeof OUTDATED> {
    const { objectType } = snapshot;
    const [ids, imagined] = typeof subject === 'string' ? [[subject]] : [[], subject];
    const sent = { objectType, fields: imagined?.fields ?? [] };
    const findRecord = await this.references.resolve(account, configuration, sent);
    const read = async (tx: Transaction): Promise<(ReadDecisions & { readonly at: Date }) | undefined> => {
      const [version, stored] = await Promise.all([
        this.accounts.currentVersion(tx, account),
        this.loader.readOnly(tx, snapshot, ids),
      ]);
      if (version !== configuration.version) return undefined;
      const at = wanted ?? stored.at;
      const refusal = imagined === undefined ? refusalOf(stored.records[0], objectType) : undefined;
      if (refusal !== undefined) throw refusal;
      const records = imagined?.make((fields) => {
        const write = { objectType, fields, mode: 'update', findRecord } as const;
        const { changes } = this.validator.validate(configuration, write, {}).values;
        return imaginedRecord(objectType, changes, at);
      });
      const router = { ...stored, records: records ?? stored.records };
      const reads = { db: tx, at, until: at, imagined: imagined !== undefined };
      return { at, ...(await this.decider.read([router], reads)) };
    };
    const asOfOneInstant = { isolation: 'REPEATABLE READ', readOnly: true, eager: true } as const;
    const found = await this.database.for(account).transaction(read, asOfOneInstant);
    if (found === undefined) return OUTDATED;
    const { decided } = await this.decider.decide(found, onProgress);
    return { at: found.at, decided };
  }
}

/** A record that does not exist. Fields that a create requires may be missing. */
function imaginedRecord(objectType: ObjectType, changes: FieldChanges, at: Date): StoredRecord {
  const values = [...changes].filter((change): change is [string, string] => change[1] !== null);
  const times = { archived_at: null, archived_by: null, created_at: at, updated_at: at };
  return { id: newId(), object_type: objectType, fields: Object.fromEntries(values), ...times };
}
