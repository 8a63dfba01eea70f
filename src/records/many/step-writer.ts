import { Injectable } from '@nestjs/common';
import type { ClientContext } from '../../auth/index.js';
import { ConfigurationCache, isRefusal, OUTDATED } from '../../configuration/index.js';
import { Database, violatedIndex, type Queryable } from '../../database/index.js';
import { OBJECT_TYPE_RULES } from '../../fields/index.js';
import { recordView, type RecordView } from '../record-view.js';
import { shownIn } from '../records.service.js';
import { shownView } from '../renamed-views.js';
import { done, type Ended } from './ended.js';
import { GroupSize } from './group-size.js';
import type { Turns } from './in-turns.js';
import { CreatedRecordsRepository } from './created-records.repository.js';
import type { NamedWrite } from './named-planner.js';
import { NamedRecordsRepository, type NamedBy, type NamedId } from './named-records.repository.js';
import type { NamedStep, StepContext } from './named-steps.js';
import { StepPlanner } from './step-planner.js';
import type { SoundWrite } from './write-planner.js';

/** A record that was found, and what is changed of it. */
interface ChangedRecord extends NamedId {
  readonly change: SoundWrite | undefined;
}

/** Does writes that do not depend on each other with one statement of each kind (ADR 32). */
@Injectable()
export class StepWriter {
  constructor(
    private readonly database: Database,
    private readonly configurations: ConfigurationCache,
    private readonly planner: StepPlanner,
    private readonly created: CreatedRecordsRepository,
    private readonly repository: NamedRecordsRepository,
  ) {}

  /**
   * Locks records that several writes name, all at once: who locks them in the order of the writes deadlocks
   * with one whose order is another (ADR 32).
   * @returns those that there are, by name
   */
  async lock(
    client: ClientContext,
    { objectType, property }: NamedBy,
    names: readonly string[],
  ): Promise<StepContext['known']> {
    if (names.length < 2) return undefined;
    const named = { objectType, property, names };
    const found = await this.repository.lock(this.database.for(client), client, named);
    return new Map(
      names.flatMap((name, index) => {
        const record = found[index];
        return record === undefined ? [] : [[name, record]];
      }),
    );
  }

  /** Returns what does the first writes, as many as do not depend on each other. */
  start(
    started: Omit<StepContext, 'size' | 'known'>,
  ): (
    writes: readonly NamedWrite[],
    known: StepContext['known'],
  ) => ReturnType<Turns<NamedWrite>['together']> {
    const context = { ...started, size: new GroupSize(this.planner.most) };
    return (writes, known) => this.write({ ...context, known }, writes);
  }

  private async write(
    context: StepContext,
    writes: readonly NamedWrite[],
  ): ReturnType<Turns<NamedWrite>['together']> {
    const { client, configuration } = context;
    const db = this.database.for(client);
    const steps = await this.planner.first(context, writes);
    const ended = steps.map((step) => step.ended);
    const isRefused = ended.some((each) => each !== undefined && 'error' in each && isRefusal(each.error));
    if (isRefused && !(await this.configurations.isCurrent(client, configuration))) return OUTDATED;
    if (steps.every(({ create, found }) => create === undefined && found === undefined)) return ended;
    try {
      const written = await db.savepoint(async () => [
        ...(await this.create(db, context, steps)),
        ...(await this.change(db, context, steps)),
      ]);
      if (written.length === 0 && !(await this.configurations.isCurrent(client, configuration)))
        return OUTDATED;
      for (const [place, each] of written) ended[place] = each;
    } catch (error) {
      // Another record has a key. Which of the writes takes it shows when they are done alone.
      if (violatedIndex(error) === undefined) throw error;
    }
    return ended;
  }

  private async create(
    db: Queryable,
    { client, configuration, named: { objectType } }: StepContext,
    steps: readonly NamedStep[],
  ): Promise<[place: number, ended: Ended][]> {
    const creates = steps.flatMap(({ create }, place) => (create === undefined ? [] : [{ create, place }]));
    if (creates.length === 0) return [];
    const { version } = configuration;
    const records = creates.map(({ create }) => create.values);
    const rows = await this.created.insert(db, client, { objectType, version, records });
    return creates.flatMap(({ create, place }, index): [number, Ended][] => {
      const row = rows[index];
      // One that has a key of another is done alone: it may be an update by now.
      if (row === undefined || row instanceof Error) return [];
      return [[place, { status: 201, record: recordView(shownIn(configuration, row), create.extras) }]];
    });
  }

  private async change(
    db: Queryable,
    context: StepContext,
    steps: readonly NamedStep[],
  ): Promise<[place: number, ended: Ended][]> {
    const writes = steps.flatMap(({ found, name, change }, place) =>
      found === undefined ? [] : [{ id: found.id, name, change, place }],
    );
    if (writes.length === 0) return [];
    const views = await this.written(db, context, writes);
    return writes.flatMap((write): [number, Ended][] => {
      const view = views(write);
      return view === undefined ? [] : [[write.place, done(view)]];
    });
  }

  /** Writes records. @returns what shows those that were written */
  private async written(
    db: Queryable,
    { client, configuration, named }: StepContext,
    writes: readonly ChangedRecord[],
  ): Promise<(write: ChangedRecord) => RecordView | undefined> {
    const { objectType, property, action } = named;
    const long = configuration.catalog.longFields(objectType);
    const changes = writes.flatMap(({ id, name, change }) =>
      change === undefined ? [] : [{ id, name, values: change.values }],
    );
    const [first] = changes;
    if (first !== undefined) {
      const { version, limit } = first.values;
      const update = { objectType, property, version, limit, records: changes };
      const rows = await this.repository.update(db, client, update);
      return ({ id, change }) => {
        const row = rows.get(id);
        return row && recordView(shownIn(configuration, row), change?.extras);
      };
    }
    const rows =
      action === 'restore'
        ? await this.repository.restore(db, client, { objectType, ids: writes.map(({ id }) => id), long })
        : await this.repository.archive(db, client, {
            objectType,
            property,
            archivedBy: client.clientId,
            long,
            records: writes,
          });
    return ({ id }) => {
      const row = rows.get(id);
      if (row === undefined) return undefined;
      const { renamed, ...record } = row;
      return shownView(recordView(record), renamed, [OBJECT_TYPE_RULES[objectType].ownerField]);
    };
  }
}
