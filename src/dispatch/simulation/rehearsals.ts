import { Injectable } from '@nestjs/common';
import { AccountsRepository, type AccountContext } from '../../accounts/index.js';
import { OUTDATED, type AccountConfiguration } from '../../configuration/index.js';
import { Database, type Transaction } from '../../database/index.js';
import { EMPTY_ROTATION_STATE } from '../../engine/index.js';
import type { ObjectType } from '../../fields/index.js';
import { ReferenceResolver, type StoredRecord } from '../../records/index.js';
import type { Decided } from '../decision/decided.js';
import { Decider, type ReadDecisions } from '../decision/decider.js';
import type { RouterSnapshot } from '../snapshot/router-snapshot.js';
import { DispatchRepository } from '../transaction/dispatch.repository.js';
import { alone, ReturnsReader } from '../transaction/returns-reader.js';
import { refusalOf } from '../transaction/run.js';
import type { ImaginedAt } from './imagined-record.js';

/** Records that do not exist. */
export interface ImaginedRecords {
  /** The fields of each, as in a create. */
  readonly fields: readonly unknown[];
  /** Makes the records of the fields. @throws DomainError 400 for what is wrong with them */
  readonly make: (reading: ImaginedAt) => readonly StoredRecord[];
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
    private readonly dispatches: DispatchRepository,
    private readonly references: ReferenceResolver,
    private readonly returns: ReturnsReader,
    private readonly decider: Decider,
  ) {}

  /**
   * Decides on one record after the other.
   * @returns OUTDATED where the account has another configuration by now
   * @throws DomainError what a dispatch would refuse a stored record with, and what `make` throws
   */
  async run(
    account: AccountContext,
    configuration: AccountConfiguration,
    { snapshot, subject, at: wanted, onProgress }: Rehearsed,
  ): Promise<Rehearsal | typeof OUTDATED> {
    const { id, objectType, unread } = snapshot;
    const imagined = typeof subject === 'string' ? undefined : subject;
    const sent = { objectType, fields: imagined?.fields ?? [] };
    const findRecord = await this.references.resolve(account, configuration, sent);
    const keys = { routerIds: [id], objectIds: typeof subject === 'string' ? [subject] : [], unread };
    const read = async (tx: Transaction): Promise<(ReadDecisions & { readonly at: Date }) | undefined> => {
      const [version, rows, { turns }] = await Promise.all([
        this.accounts.currentVersion(tx, account),
        this.dispatches.readOnly(tx, account, keys),
        this.returns.read(tx, alone(snapshot)),
      ]);
      if (version !== configuration.version) return undefined;
      const at = wanted ?? rows.at;
      const records = imagined?.make({ at, findRecord }) ?? dispatchable(rows.records, objectType);
      const router = { snapshot, records, rotation: rows.rotations.get(id) ?? EMPTY_ROTATION_STATE, turns };
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

/** @throws DomainError what a dispatch refuses the record with */
function dispatchable(
  records: ReadonlyMap<string, StoredRecord>,
  objectType: ObjectType,
): readonly StoredRecord[] {
  const [record] = records.values();
  const refusal = refusalOf(record, objectType);
  if (refusal !== undefined) throw refusal;
  return [...records.values()];
}
