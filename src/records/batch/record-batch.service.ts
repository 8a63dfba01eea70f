import { Injectable } from '@nestjs/common';
import type { ClientContext } from '../../auth/index.js';
import { Database } from '../../database/index.js';
import { DomainError } from '../../errors/domain-error.js';
import { errorObject, type ErrorObject } from '../../errors/error-object.js';
import { Failures } from '../../errors/failures.js';
import { OBJECT_TYPE_RULES, type ObjectType } from '../../fields/index.js';
import { PAGE_BYTES } from '../../paging/index.js';
import { KeyedRecordsService } from '../keyed-records.service.js';
import { done, refusal, type Ended } from '../many/ended.js';
import { ManyRecordsService } from '../many/many-records.service.js';
import { NamedRecordsService } from '../many/named-records.service.js';
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
    private readonly many: ManyRecordsService,
    private readonly named: NamedRecordsService,
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
    const { objectType, property, selection } = batch;
    const answer = new AnswerSize();
    const ended: Ended[] = [];
    const inputs = readInputs(batch);
    for (let start = 0; start < inputs.length; start += READ_TOGETHER) {
      const some = inputs.slice(start, start + READ_TOGETHER).map(async (input): Promise<Ended> => {
        if ('error' in input) return input;
        return this.keyed.get(client, { objectType, id: input.id, property }, selection).then(done, refusal);
      });
      for (const each of await Promise.all(some)) {
        answer.add(each);
        ended.push(each);
      }
    }
    return ended;
  }

  private async write(client: ClientContext, batch: Batch): Promise<Ended[]> {
    const inputs = readInputs(batch);
    const sound = inputs.flatMap((each) => ('error' in each ? [] : [each]));
    const written = (await this.writeAll(client, batch, sound)).values();
    const answer = new AnswerSize();
    return inputs.map((input) => {
      const each = 'error' in input ? input : (written.next().value as Ended);
      answer.add(each);
      return each;
    });
  }

  private writeAll(client: ClientContext, batch: Batch, writes: readonly BatchInput[]): Promise<Ended[]> {
    const { objectType, action, property, selection } = batch;
    if (action === 'read') throw new Error('A read writes nothing');
    if (action !== 'create')
      return this.named.write(client, { objectType, property, action, writes, selection });
    const fields = writes.map((each) => each.fields);
    return this.many.create(client, { objectType, fields }, selection);
  }
}

/** Reads the inputs. @returns each, or what is wrong with its keys */
function readInputs({ action, inputs }: Batch): (BatchInput | { readonly error: DomainError })[] {
  return inputs.map((input) => {
    try {
      return readInput(action, input);
    } catch (error) {
      return refusal(error);
    }
  });
}

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
