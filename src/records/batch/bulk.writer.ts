import { Injectable } from '@nestjs/common';
import type { ClientContext } from '../../auth/index.js';
import { ConfigurationCache, isRefusal, OUTDATED } from '../../configuration/index.js';
import { Database, violatedIndex } from '../../database/index.js';
import { DomainError } from '../../errors/domain-error.js';
import { namedBy } from '../record-key.js';
import { type RecordView, type StoredRecord, viewIn } from '../record-view.js';
import { RecordsRepository } from '../records.repository.js';
import { RecordsService } from '../records.service.js';
import { UpsertsService } from '../upserts.service.js';
import { BulkPlanner, type BulkContext, type BulkWrites, type PlannedInput } from './bulk.planner.js';

/** What one input of many is answered: as a request of its own would be. */
export type ItemResult<View = RecordView> = DoneItem<View> | { readonly error: DomainError };

interface DoneItem<View> {
  readonly status: number;
  readonly record: View;
}

/** The result of an input whose record was there. */
export const ok = <View>(record: View): DoneItem<View> => ({ status: 200, record });

const made = (record: RecordView): ItemResult => ({ status: 201, record });

/** @throws errors that the request has not caused */
export function refused(error: unknown): { readonly error: DomainError } {
  if (error instanceof DomainError && error.status < 500) return { error };
  throw error;
}

/** The results of inputs that were written together; undefined for one that was left out. */
type Results = (ItemResult | undefined)[];

/** Records were created, and others left out that come before some of them. */
class OutOfOrder extends Error {}

/**
 * Writes many records as single requests would, one after the other (ADR 32). Inputs that do not name or take
 * the same keys are written by one statement. What it leaves out is done one by one by the service of single
 * records, which says why. Where a unique index refuses the statement, or records would be created in another
 * order, it is undone, and its inputs are split in two.
 */
@Injectable()
export class BulkWriter {
  constructor(
    private readonly database: Database,
    private readonly configurations: ConfigurationCache,
    private readonly planner: BulkPlanner,
    private readonly repository: RecordsRepository,
    private readonly records: RecordsService,
    private readonly upserts: UpsertsService,
  ) {}

  /**
   * Writes records. The context of the client must have a transaction.
   * @returns for each input, in the order given, what a single write returns or throws
   */
  write(client: ClientContext, writes: BulkWrites): Promise<ItemResult[]> {
    return this.configurations.use(client, async (configuration) => {
      const context = { client, configuration, writes };
      const planned = await this.planner.plan(context);
      const isOutdated = planned.some(({ error }) => isRefusal(error));
      if (isOutdated && !(await this.configurations.isCurrent(client, configuration))) return OUTDATED;
      await this.lock(context, planned);
      const results: ItemResult[] = [];
      while (results.length < planned.length) {
        const group = this.planner.group(writes, planned.slice(results.length));
        for (const result of await this.run(context, group)) results.push(result);
      }
      return results;
    });
  }

  /** Locks records in the order of their ids: in that of the inputs, two batches could deadlock. */
  private async lock({ client, writes }: BulkContext, planned: readonly PlannedInput[]): Promise<void> {
    const { objectType, property, action } = writes;
    const names = [...new Set(planned.flatMap(({ name }) => name ?? []))];
    if (action === 'create' || names.length < 2) return;
    const named = { objectType, by: namedBy(property), names };
    await this.repository.lockInOrder(this.database.for(client), client, named);
  }

  private async run(context: BulkContext, group: readonly PlannedInput[]): Promise<ItemResult[]> {
    const inputs = group.filter(({ touches }) => touches !== undefined);
    const written = inputs.length < 2 ? [] : await this.together(context, inputs);
    if (written === undefined) {
      const half = Math.ceil(group.length / 2);
      const first = await this.run(context, group.slice(0, half));
      return [...first, ...(await this.run(context, group.slice(half)))];
    }
    const next = written.values();
    const results: ItemResult[] = [];
    for (const { input, touches, error } of group) {
      const done = touches === undefined ? undefined : next.next().value;
      const result = error === undefined ? (done ?? (await this.single(context, input))) : { error };
      if ('record' in result) context.writes.onRecord?.(result.record);
      results.push(result);
    }
    return results;
  }

  /** Writes inputs with one statement of each kind. @returns undefined where that was undone */
  private async together(
    context: BulkContext,
    inputs: readonly PlannedInput[],
  ): Promise<Results | undefined> {
    try {
      return await this.database.for(context.client).savepoint(() => this.written(context, inputs));
    } catch (error) {
      if (error instanceof OutOfOrder || violatedIndex(error) !== undefined) return undefined;
      throw error;
    }
  }

  private async written(context: BulkContext, inputs: readonly PlannedInput[]): Promise<Results> {
    const { client, configuration, writes } = context;
    const { objectType, property, action } = writes;
    const db = this.database.for(client);
    const hidden = configuration.catalog.longFields(objectType);
    const names = inputs.flatMap(({ name }) => name ?? []);
    const { version } = configuration;
    const moved = { objectType, by: namedBy(property), names, version, hidden };
    const view = (row: StoredRecord | undefined) => row && ok(viewIn(configuration, row));
    if (action === 'archive') return (await this.repository.archive(db, client, moved)).map(view);
    if (action === 'restore') return (await this.repository.restoreAll(db, client, moved)).map(view);
    if (action === 'create') return this.created(context, inputs);
    const results = await this.changed(context, inputs);
    if (action === 'update') return results;
    const others = inputs.filter(({ created }, n) => results[n] === undefined && created !== undefined);
    const created = await this.created(context, others);
    for (const [n, input] of others.entries()) results[inputs.indexOf(input)] = created[n];
    if (created.some((each) => each !== undefined) && results.includes(undefined)) throw new OutOfOrder();
    return results;
  }

  private async created(
    { client, configuration }: BulkContext,
    inputs: readonly PlannedInput[],
  ): Promise<Results> {
    const sound = inputs.flatMap(({ created }) => created ?? []);
    const records = sound.map(({ values }) => values);
    const rows = await this.repository.insertAll(this.database.for(client), client, records);
    return rows.map((row, index) => row && made(viewIn(configuration, row, sound[index]?.extras)));
  }

  private async changed(context: BulkContext, inputs: readonly PlannedInput[]): Promise<Results> {
    const { client, configuration, writes } = context;
    const { objectType, property } = writes;
    const records = inputs.flatMap(({ name, input: { onlyForId }, change }) =>
      name === undefined || change === undefined ? [] : [{ name, onlyForId, values: change.values }],
    );
    const hidden = configuration.catalog.longFields(objectType);
    const update = { objectType, by: namedBy(property), records, hidden, keepsKeys: true };
    const rows = await this.repository.updateAll(this.database.for(client), client, update);
    return rows.map((row, index) => row && ok(viewIn(configuration, row, inputs[index]?.change?.extras)));
  }

  private async single({ client, writes }: BulkContext, input: PlannedInput['input']): Promise<ItemResult> {
    const { objectType, property, action, selection } = writes;
    const { id, fields } = input;
    const address = { objectType, id, property };
    try {
      switch (action) {
        case 'create':
          return made(await this.records.create(client, { objectType, fields }, selection));
        case 'update':
          return ok(await this.records.update(client, { ...address, fields }, selection));
        case 'upsert': {
          const upsert = { ...input, objectType, property };
          const { record, created } = await this.upserts.upsert(client, upsert, selection);
          return created ? made(record) : ok(record);
        }
        case 'archive':
          return ok(await this.records.archive(client, address));
        case 'restore':
          return ok(await this.records.restore(client, { objectType, id }));
      }
    } catch (error) {
      return refused(error);
    }
  }
}
