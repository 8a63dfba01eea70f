import { Injectable } from '@nestjs/common';
import type { ClientContext } from '../../auth/index.js';
import { ConfigurationCache } from '../../configuration/index.js';
import { Database, type Queryable } from '../../database/index.js';
import { DomainError, type FieldError } from '../../errors/domain-error.js';
import { errorObject, type ErrorObject } from '../../errors/error-object.js';
import { MAX_ERRORS, type Failures } from '../../errors/errors.js';
import { OBJECT_TYPE_RULES, type ObjectType } from '../../fields/index.js';
import { PAGE_BYTES, PAGE_ROWS } from '../../paging/index.js';
import { namedBy } from '../record-key.js';
import { foundViews } from '../record-pages.js';
import { type ExpandedShownViews, type ExpandedView, expandViews } from '../record-selection.js';
import { RecordValidator } from '../record-validator.js';
import type { RecordView } from '../record-view.js';
import { recordNotFound } from '../record.errors.js';
import { RecordsRepository } from '../records.repository.js';
import { RecordsService } from '../records.service.js';
import { BATCH_RULES, readInput, type BatchAction, type BatchDto, type BatchReadDto } from './batch.dto.js';
import { BulkWriter, ok, type ItemResult } from './bulk.writer.js';

/** The entry of a batch for one input: what a request of its own would have been answered. */
export type BatchEntry = { readonly index: number; readonly status: number } & (
  { readonly record: ExpandedView } | ErrorObject
);

/** What a request asks for. */
export interface BatchRequest {
  readonly objectType: ObjectType;
  readonly action: BatchAction;
  /** Undefined where its form is wrong. */
  readonly batch: BatchDto | BatchReadDto | undefined;
  /** References to expand beside those of the body, of a batch that reads. */
  readonly expand?: readonly string[];
  /** What is wrong with the request so far. */
  readonly failures: Failures;
}

/** The inputs of a batch whose form is right. */
interface Batch {
  readonly objectType: ObjectType;
  /** The key by which inputs name records; undefined for ids. */
  readonly property: string | undefined;
  readonly inputs: readonly { readonly id: string }[];
  /** Counts a part of the answer, as JSON. @throws DomainError 413 where that would have too many bytes */
  readonly count: (text: string) => void;
}

/** Does many things with records in one request (contract section 7, "Batch"). */
@Injectable()
export class RecordBatchService {
  constructor(
    private readonly database: Database,
    private readonly configurations: ConfigurationCache,
    private readonly validator: RecordValidator,
    private readonly repository: RecordsRepository,
    private readonly records: RecordsService,
    private readonly bulk: BulkWriter,
  ) {}

  /**
   * Does the inputs one after the other: writes in one transaction, reads in one snapshot.
   * @throws DomainError 400 for what is wrong with the whole request; 413 where the answer would have more
   *   than 10 MiB; for an atomic batch the status of the first input that is refused. Nothing is written then
   */
  async run(
    client: ClientContext,
    { objectType, action, batch = { inputs: [] }, expand: asked = [], failures }: BatchRequest,
  ): Promise<BatchEntry[]> {
    const { atomic = false, id_property: property } = batch;
    const properties = failures.mentions('properties') ? [] : (batch.properties ?? []);
    const added = 'expand' in batch && !failures.mentions('expand') ? (batch.expand ?? []) : [];
    if (!failures.mentions('id_property')) addKeyProblem({ objectType, action, property }, failures);
    const selection = { properties, expand: [...asked, ...added], failures };
    const shown = await this.records.shown(client, objectType, selection);
    const count = answerCounter();
    const read = batch.inputs.map((input) => readInput(action, input));
    const inputs = read.flatMap((each) => ('error' in each ? [] : [each]));
    const answer = (done: readonly ItemResult<ExpandedView>[]): BatchEntry[] => {
      const next = done.values();
      const results = read.map((each) => ('error' in each ? each : (next.next().value as ItemResult)));
      return finished(results, { atomic, count });
    };
    if (action === 'read')
      return answer(await this.read(client, { objectType, property, inputs, count }, shown));
    const onRecord = (record: RecordView): void => count(JSON.stringify(record));
    const writes = { objectType, action, property, inputs, selection: { properties }, onRecord };
    return this.database
      .for(client)
      .transaction((tx) =>
        tx.asPart(async () => answer(await this.bulk.write({ ...client, transaction: tx }, writes))),
      );
  }

  /** Reads records: by their ids active and archived ones, by a key active ones. */
  private async read(
    client: ClientContext,
    { objectType, property, inputs, count }: Batch,
    { expanded: fields, ...shown }: ExpandedShownViews,
  ): Promise<ItemResult<ExpandedView>[]> {
    const db = this.database.for(client);
    const names = await this.configurations.use(client, (configuration) =>
      inputs.map(({ id }) => this.validator.name(configuration, { objectType, property, id })?.name),
    );
    const sought = [...new Set(names)].filter((name) => name !== undefined);
    const work = async (tx: Queryable): Promise<Map<string | undefined, string>> => {
      const named = sought.map((name) => ({ objectType, by: namedBy(property), name }));
      const ids = property === undefined ? sought : await this.repository.findIds(tx, client, named);
      const known = ids.filter((id) => id !== undefined);
      const names = new Map(ids.map((id, index) => [id, sought[index]]));
      const views = new Map<string | undefined, string>();
      // What is too large is not read to its end.
      const countRead = answerCounter();
      for (let start = 0; start < known.length; start += PAGE_ROWS) {
        const some = { ...shown, ids: known.slice(start, start + PAGE_ROWS) };
        const found = await foundViews(tx, client, some);
        if (found.isCut) throw answerTooLarge();
        for (const view of found.views) countRead(view);
        for (const [index, id] of found.ids.entries()) views.set(names.get(id), found.views[index] ?? '');
      }
      return views;
    };
    const views = await db.transaction(work, { isolation: 'REPEATABLE READ', readOnly: true });
    const texts = names.map((name) => views.get(name)).filter((text) => text !== undefined);
    for (const text of texts) count(text);
    const shownTexts = await expandViews(db, client, { views: texts, fields });
    if (shownTexts.length < texts.length) throw answerTooLarge();
    const next = shownTexts.values();
    return names.map((name) => {
      if (!views.has(name)) return { error: recordNotFound(objectType) };
      return ok(JSON.parse(next.next().value ?? '') as ExpandedView);
    });
  }
}

function answerTooLarge(): DomainError {
  const message = 'The answer would have more than 10 MiB: send fewer inputs, or ask for fewer properties';
  return new DomainError('too_large', message);
}

/** Counts the bytes of the records and the errors of an answer. */
function answerCounter(): Batch['count'] {
  let bytes = 0;
  return (text) => {
    bytes += Buffer.byteLength(text);
    if (bytes > PAGE_BYTES) throw answerTooLarge();
  };
}

/** @throws DomainError where all or nothing was asked for and not all is done; 413 for too many bytes */
function finished(
  results: readonly ItemResult<ExpandedView>[],
  { atomic, count }: { readonly atomic: boolean } & Pick<Batch, 'count'>,
): BatchEntry[] {
  if (atomic && results.some((each) => 'error' in each)) throw refusedBatch(results);
  return results.map((each, index) => {
    if (!('error' in each)) return { index, ...each };
    const error = errorObject(each.error);
    count(JSON.stringify(error));
    return { index, status: each.error.status, ...error };
  });
}

/** The refusal of all: status and word of the first input that is refused, and what is wrong with each. */
function refusedBatch(results: readonly ItemResult<ExpandedView>[]): DomainError {
  const refusals = results.flatMap((each, index) => ('error' in each ? [{ index, error: each.error }] : []));
  // A record that the batch would have created is not there to be looked at.
  const undone = new Set(
    results.flatMap((each) => ('record' in each && each.status === 201 ? [each.record['id']] : [])),
  );
  const errors = refusals.flatMap(({ index, error: { message, details } }): FieldError[] => {
    const own = details.errors ?? [];
    return (own.length > 0 ? own : [{ message }]).map(({ existing_id: id, ...each }) => ({
      index,
      ...each,
      ...(id !== undefined && !undone.has(id) ? { existing_id: id } : {}),
    }));
  });
  const more = refusals.reduce((sum, { error }) => sum + (error.details.omitted ?? 0), 0);
  const omitted = errors.length - MAX_ERRORS + more;
  const others = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  const [first] = refusals;
  if (first === undefined) throw new Error('No input is refused');
  const { code, status } = first.error;
  return new DomainError(code, `Input ${first.index}: ${errors[0]?.message ?? ''}${others}`, {
    status,
    errors: errors.slice(0, MAX_ERRORS),
    ...(omitted > 0 ? { omitted } : {}),
  });
}

function addKeyProblem(
  { objectType, action, property }: Pick<BatchRequest, 'objectType' | 'action'> & Pick<Batch, 'property'>,
  failures: Failures,
): void {
  const { byKey } = BATCH_RULES[action];
  const keys = OBJECT_TYPE_RULES[objectType].uniqueKeys;
  const add = (problem: string): void =>
    failures.add(() => ({ field: 'id_property', message: `id_property ${problem}` }));
  if (property === undefined) {
    if (byKey === 'always') add(`is required: ${keys.join(' or ')}`);
  } else if (byKey === 'never') add(`is not for batches that ${action}`);
  else if (!keys.includes(property)) add(`must be ${keys.join(' or ')}`);
}
