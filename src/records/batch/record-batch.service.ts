import { Injectable } from '@nestjs/common';
import type { ClientContext } from '../../auth/index.js';
import { Database } from '../../database/index.js';
import { DomainError } from '../../errors/domain-error.js';
import { errorObject, type ErrorObject } from '../../errors/error-object.js';
import { Failures } from '../../errors/failures.js';
import { OBJECT_TYPE_RULES, type ObjectType } from '../../fields/index.js';
import { PAGE_BYTES } from '../../paging/index.js';
import { KeyedRecordsService } from '../keyed-records.service.js';
import type { RecordSelection } from '../record-validator.js';
import type { RecordView } from '../record-view.js';
import { RecordsService } from '../records.service.js';
import { BATCH_RULES, type BatchAction } from './batch-action.js';
import type { BatchDto } from './batch.dto.js';
import { readInput, type BatchInput } from './batch-input.js';
import { BatchRefusedError, type RefusedInput } from './batch-refused.error.js';

/** The entry of a batch for one input: what a request of its own would have been answered. */
export type BatchEntry = { readonly index: number; readonly status: number } & (
  { readonly record: RecordView } | ErrorObject
);

/** What a request asks for. */
export interface BatchRequest {
  readonly objectType: ObjectType;
  readonly action: BatchAction;
  /** Undefined where its form is wrong. */
  readonly batch: BatchDto | undefined;
  /** What is wrong with the request so far. */
  readonly failures: Failures;
}

/** A batch whose form is right. */
interface Batch {
  readonly objectType: ObjectType;
  readonly action: BatchAction;
  readonly inputs: readonly unknown[];
  /** The key by which inputs name records; undefined for ids. */
  readonly property: string | undefined;
  readonly selection: RecordSelection;
}

/** Records that are read at a time: each may have several MiB. */
const READ_TOGETHER = 5;

/** Does many things with records in one request (contract section 7, "Batch"). */
@Injectable()
export class RecordBatchService {
  constructor(
    private readonly database: Database,
    private readonly records: RecordsService,
    private readonly keyed: KeyedRecordsService,
  ) {}

  /**
   * Does the inputs one after the other, in one transaction.
   * @returns an entry for each input, in the same order
   * @throws DomainError 400 for what is wrong with the whole request; 413 where the answer would have more
   *   than 10 MiB; for an atomic batch, BatchRefusedError where an input is refused. Nothing is written then
   */
  async run(
    client: ClientContext,
    { objectType, action, batch, failures }: BatchRequest,
  ): Promise<BatchEntry[]> {
    const { inputs = [], atomic = false, id_property: property } = batch ?? {};
    const properties = failures.mentions('properties') ? [] : (batch?.properties ?? []);
    if (!failures.mentions('id_property')) addKeyProblem({ objectType, action, property }, failures);
    await this.records.extras(client, objectType, { properties, failures });
    const asked = { objectType, action, inputs, property, selection: { properties } };
    if (action === 'read') return finished(await this.read(client, asked), atomic);
    return this.database
      .for(client)
      .transaction((tx) =>
        tx.hold(async () => finished(await this.write({ ...client, transaction: tx }, asked), atomic)),
      );
  }

  private async read(client: ClientContext, batch: Batch): Promise<Ended[]> {
    const ended: Ended[] = [];
    const answer = new AnswerSize();
    for (let start = 0; start < batch.inputs.length; start += READ_TOGETHER) {
      const some = batch.inputs.slice(start, start + READ_TOGETHER);
      const read = await Promise.all(some.map((input) => this.end(client, batch, input)));
      for (const each of read) answer.add(each);
      ended.push(...read);
    }
    return ended;
  }

  private async write(client: ClientContext, batch: Batch): Promise<Ended[]> {
    const ended: Ended[] = [];
    const answer = new AnswerSize();
    for (const input of batch.inputs) {
      const each = await this.end(client, batch, input);
      answer.add(each);
      ended.push(each);
    }
    return ended;
  }

  /** @throws errors that the input has not caused */
  private async end(client: ClientContext, batch: Batch, input: unknown): Promise<Ended> {
    try {
      return await this.one(client, batch, readInput(batch.action, input));
    } catch (error) {
      if (error instanceof DomainError && error.status < 500) return { error };
      throw error;
    }
  }

  private async one(client: ClientContext, batch: Batch, { id, fields }: BatchInput): Promise<Done> {
    const { objectType, action, property, selection } = batch;
    const target = { objectType, id };
    const named = property === undefined ? undefined : { objectType, named: { property, value: id } };
    switch (action) {
      case 'create':
        return done(201, await this.records.create(client, { objectType, fields }, selection));
      case 'read':
        return done(
          200,
          await (named
            ? this.keyed.get(client, named, selection)
            : this.records.get(client, target, selection)),
        );
      case 'update':
        return done(
          200,
          await (named
            ? this.keyed.update(client, { ...named, fields }, selection)
            : this.records.update(client, { ...target, fields }, selection)),
        );
      case 'upsert': {
        const upsert = { objectType, named: named?.named, fields };
        const { record, created } = await this.keyed.upsert(client, upsert, selection);
        return done(created ? 201 : 200, record);
      }
      case 'archive':
        return done(
          200,
          await (named ? this.keyed.archive(client, named) : this.records.archive(client, target)),
        );
      case 'restore':
        return done(200, await this.records.restore(client, target));
    }
  }
}

interface Done {
  readonly status: number;
  readonly record: RecordView;
}

type Ended = Done | { readonly error: DomainError };

const done = (status: number, record: RecordView): Done => ({ status, record });

/** @throws BatchRefusedError where all or nothing was asked for, and not all is done */
function finished(ended: readonly Ended[], atomic: boolean): BatchEntry[] {
  const refused = ended.flatMap((each, index): RefusedInput[] =>
    'error' in each ? [{ index, error: each.error }] : [],
  );
  const [first, ...others] = refused;
  if (atomic && first !== undefined) throw new BatchRefusedError([first, ...others]);
  return ended.map((each, index) =>
    'error' in each ? { index, status: each.error.status, ...errorObject(each.error) } : { index, ...each },
  );
}

/** Counts the bytes of the records of an answer. */
class AnswerSize {
  private bytes = 0;

  /** @throws DomainError 413 */
  add(ended: Ended): void {
    if ('record' in ended) this.bytes += Buffer.byteLength(JSON.stringify(ended.record));
    if (this.bytes <= PAGE_BYTES) return;
    const message = 'The answer would have more than 10 MiB: send fewer inputs, or ask for fewer properties';
    throw new DomainError('too_large', message);
  }
}

function addKeyProblem(
  { objectType, action, property }: Pick<Batch, 'objectType' | 'action' | 'property'>,
  failures: Failures,
): void {
  const field = 'id_property';
  const { byKey } = BATCH_RULES[action];
  const keys = OBJECT_TYPE_RULES[objectType].uniqueKeys;
  if (property === undefined) {
    if (byKey === 'always')
      failures.add(() => ({ field, message: `${field} is required: ${keys.join(' or ')}` }));
    return;
  }
  if (byKey === 'never')
    failures.add(() => ({ field, message: `${field} is not for batches that ${action}` }));
  else if (!keys.includes(property))
    failures.add(() => ({ field, message: `${field} must be ${keys.join(' or ')}` }));
}
