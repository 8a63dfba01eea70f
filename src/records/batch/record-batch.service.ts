import { Injectable } from '@nestjs/common';
import type { ClientContext } from '../../auth/index.js';
import { Database } from '../../database/index.js';
import { DomainError } from '../../errors/domain-error.js';
import { errorObject, type ErrorObject } from '../../errors/error-object.js';
import { Failures } from '../../errors/errors.js';
import { OBJECT_TYPE_RULES, type ObjectType } from '../../fields/index.js';
import type { RecordSelection } from '../record-validator.js';
import type { ExpandedFields, ExpandedView } from '../references/expanded-view.js';
import { RecordExpander } from '../references/record-expander.js';
import { recordNotFound } from '../record.errors.js';
import type { RecordView } from '../record-view.js';
import { RecordsService } from '../records.service.js';
import { AnswerSize, answerTooLarge } from './answer-size.js';
import { BATCH_RULES, readInput, type BatchAction, type BatchDto, type BatchInput } from './batch.dto.js';
import { BatchReader } from './batch-reader.js';
import { BatchRefusedError, type RefusedInput } from './batch-refused.error.js';
import { BulkWriter } from './bulk.writer.js';
import { refused, type ItemResult } from './item-result.js';

/** The entry of a batch for one input: what a request of its own would have been answered. */
export type BatchEntry = { readonly index: number; readonly status: number } & (
  { readonly record: ExpandedView } | ErrorObject
);

/** What a request asks for. */
export interface BatchRequest {
  readonly objectType: ObjectType;
  readonly action: BatchAction;
  /** Undefined where its form is wrong. */
  readonly batch: BatchDto | undefined;
  /** References to expand, of a batch that reads. */
  readonly expand?: readonly string[];
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

/** Does many things with records in one request (contract section 7, "Batch"). */
@Injectable()
export class RecordBatchService {
  constructor(
    private readonly database: Database,
    private readonly records: RecordsService,
    private readonly reader: BatchReader,
    private readonly expander: RecordExpander,
    private readonly bulk: BulkWriter,
  ) {}

  /**
   * Does the inputs one after the other, in one transaction.
   * @returns an entry for each input, in the same order
   * @throws DomainError 400 for what is wrong with the whole request; 413 where the answer would have more
   *   than 10 MiB; for an atomic batch, BatchRefusedError where an input is refused. Nothing is written then
   */
  async run(
    client: ClientContext,
    { objectType, action, batch, expand = [], failures }: BatchRequest,
  ): Promise<BatchEntry[]> {
    const { inputs = [], atomic = false, id_property: property } = batch ?? {};
    const properties = failures.mentions('properties') ? [] : (batch?.properties ?? []);
    if (!failures.mentions('id_property')) addKeyProblem({ objectType, action, property }, failures);
    const request = { objectType, expand, selection: { properties, failures } };
    const { fields, selection } = await this.expander.prepare(client, request);
    await this.records.shown(client, objectType, selection);
    const asked = {
      objectType,
      action,
      inputs,
      property,
      selection: { properties: selection.properties ?? [] },
    };
    const size = new AnswerSize();
    if (action === 'read')
      return finished(await this.read(client, asked, { fields, size }), { atomic, size });
    return this.database.for(client).transaction((tx) =>
      tx.asPart(async () => {
        const results = await this.write({ ...client, transaction: tx }, asked, size);
        return finished(results, { atomic, size });
      }),
    );
  }

  private async read(
    client: ClientContext,
    batch: Batch,
    { fields, size }: { readonly fields: ExpandedFields; readonly size: AnswerSize },
  ): Promise<ItemResult<ExpandedView>[]> {
    const { objectType } = batch;
    const inputs = readInputs(batch);
    const names = inputs.flatMap((each) => ('error' in each ? [] : [each.id]));
    const views = await this.reader.read(client, { ...batch, names });
    const found = views.filter((view) => view !== undefined);
    for (const view of found) size.add(view);
    const shown = fields.size === 0 ? found : (await this.expander.expand(client, found, fields)).views;
    if (shown.length < found.length) throw answerTooLarge();
    const [next, records] = [views.values(), shown.values()];
    return inputs.map((input) => {
      if ('error' in input) return input;
      if (next.next().value === undefined) return { error: recordNotFound(objectType) };
      return { status: 200, record: records.next().value as ExpandedView };
    });
  }

  private async write(client: ClientContext, batch: Batch, size: AnswerSize): Promise<ItemResult[]> {
    const { objectType, action, property, selection } = batch;
    if (action === 'read') throw new Error('A read writes nothing');
    const inputs = readInputs(batch);
    const sound = inputs.flatMap((each) => ('error' in each ? [] : [each]));
    const onRecord = (record: RecordView): void => size.add(record);
    const writes = { objectType, action, property, inputs: sound, selection, onRecord };
    const written = (await this.bulk.write(client, writes)).values();
    return inputs.map((input) => ('error' in input ? input : (written.next().value as ItemResult)));
  }
}

/** Reads the inputs. @returns each, or what is wrong with its keys */
function readInputs({ action, inputs }: Batch): (BatchInput | { readonly error: DomainError })[] {
  return inputs.map((input) => {
    try {
      return readInput(action, input);
    } catch (error) {
      return refused(error);
    }
  });
}

/**
 * @throws BatchRefusedError where all or nothing was asked for, and not all is done; DomainError 413 where
 *   the answer would have too many bytes
 */
function finished(
  results: readonly ItemResult<ExpandedView>[],
  { atomic, size }: { readonly atomic: boolean; readonly size: AnswerSize },
): BatchEntry[] {
  const refusedInputs = results.flatMap((each, index): RefusedInput[] =>
    'error' in each ? [{ index, error: each.error }] : [],
  );
  const [first, ...others] = refusedInputs;
  if (atomic && first !== undefined) throw new BatchRefusedError([first, ...others]);
  return results.map((each, index) => {
    if (!('error' in each)) return { index, ...each };
    const error = errorObject(each.error);
    size.add(error);
    return { index, status: each.error.status, ...error };
  });
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
