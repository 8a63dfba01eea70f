import { Injectable } from '@nestjs/common';
import { AccountsRepository, type AccountContext } from '../../accounts/index.js';
import { OUTDATED, type AccountConfiguration } from '../../configuration/index.js';
import { Database, type Transaction } from '../../database/index.js';
import { EMPTY_ROTATION_STATE } from '../../engine/index.js';
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
    asked: Rehearsed,
  ): Promise<Rehearsal | typeof OUTDATED> {
    const { subject, snapshot, onProgress } = asked;
    const { objectType } = snapshot;
    const fields = typeof subject === 'string' ? [] : subject.fields;
    const findRecord = await this.references.resolve(account, configuration, { objectType, fields });
    const records = ({
      stored,
      at,
    }: {
      stored: StoredRecord | undefined;
      at: Date;
    }): readonly StoredRecord[] =>
      typeof subject === 'string' ? dispatchable(stored, snapshot) : subject.make({ at, findRecord });
    const read = await this.database
      .for(account)
      .transaction(
        async (tx) => this.read(tx, account, { ...asked, records, version: configuration.version }),
        { isolation: 'REPEATABLE READ', readOnly: true, eager: true },
      );
    if (read === OUTDATED) return OUTDATED;
    const [decisions] = await this.decider.decide(read.decisions, { at: read.at, onProgress });
    return { at: read.at, decided: decisions?.decided ?? [] };
  }

  private async read(
    tx: Transaction,
    account: AccountContext,
    { snapshot, subject, records, version, ...asked }: Rehearsed & RecordsOf & { readonly version: string },
  ): Promise<{ readonly at: Date; readonly decisions: ReadDecisions } | typeof OUTDATED> {
    const { id, unread } = snapshot;
    const imagined = typeof subject !== 'string';
    const keys = { routerIds: [id], objectIds: imagined ? [] : [subject], unread };
    const [found, rows, { turns }] = await Promise.all([
      this.accounts.currentVersion(tx, account),
      this.dispatches.readOnly(tx, account, keys),
      this.returns.read(tx, alone(snapshot)),
    ]);
    if (found !== version) return OUTDATED;
    const at = asked.at ?? rows.at;
    const [stored] = rows.records.values();
    const rotation = rows.rotations.get(id) ?? EMPTY_ROTATION_STATE;
    const router = { snapshot, records: records({ stored, at }), rotation, turns };
    return { at, decisions: await this.decider.read([router], { db: tx, at, until: at, imagined }) };
  }
}

interface RecordsOf {
  readonly records: (found: { stored: StoredRecord | undefined; at: Date }) => readonly StoredRecord[];
}

function dispatchable(record: StoredRecord | undefined, { objectType }: RouterSnapshot): StoredRecord[] {
  const refusal = refusalOf(record, objectType);
  if (refusal !== undefined) throw refusal;
  return record === undefined ? [] : [record];
}
