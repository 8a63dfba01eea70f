import { Injectable } from '@nestjs/common';
import { Database } from '../../database/index.js';
import { PAGE_BYTES } from '../../paging/index.js';
import type { RecordWrite } from '../record-hooks.js';
import { RecordValidator } from '../record-validator.js';
import { recordActive, recordArchived, recordNotFound } from '../records.service.js';
import type { NamedWrite } from './named-planner.js';
import { NamedRecordsRepository, type FoundRecord } from './named-records.repository.js';
import { ownKeys, touchedKeys, touchedName, type NamedStep, type StepContext } from './named-steps.js';
import { Touched } from './touched.js';
import { WritePlanner, type PlannedWrite } from './write-planner.js';

/** Tells what is to be done for writes by what is there, and which of them do not depend on each other. */
@Injectable()
export class StepPlanner {
  /** How many records may be written together: a statement returns them whole, but for long fields. */
  private readonly most: number;

  constructor(
    private readonly database: Database,
    private readonly repository: NamedRecordsRepository,
    private readonly planner: WritePlanner,
    { maxBytes }: RecordValidator,
  ) {
    this.most = Math.max(1, Math.floor(PAGE_BYTES / maxBytes));
  }

  /**
   * Returns what is to be done for the first writes, as many as do not depend on each other; nothing where
   * the first one is done alone, or nothing is won.
   */
  async first(context: StepContext, writes: readonly NamedWrite[]): Promise<NamedStep[]> {
    const { client, configuration, named } = context;
    const { objectType, property, action, selection } = named;
    const some = untilRepeated(writes.slice(0, this.most));
    if (some.length < 2) return [];
    const names = some.map(({ name }) => name);
    const found = await this.repository.find(this.database.for(client), client, {
      objectType,
      property,
      names,
    });
    const absent = action === 'upsert' ? some.filter((_, index) => found[index] === undefined) : [];
    const fields = absent.map(({ whole }) => whole);
    const creates =
      absent.length === 0
        ? []
        : await this.planner.creates(client, configuration, { objectType, fields, selection });
    const created = new Map(absent.map((write, index) => [write, creates[index]]));
    const touched = new Touched();
    const steps: NamedStep[] = [];
    for (const [index, write] of some.entries()) {
      const step = await this.step(context, write, { found: found[index], create: created.get(write) });
      if (step === undefined || !touched.add(step)) break;
      steps.push(step);
    }
    return steps;
  }

  /** @returns undefined for a write that is done alone */
  private async step(
    { client, configuration, named }: StepContext,
    { name, change }: NamedWrite,
    { found, create }: { readonly found: FoundRecord | undefined; readonly create: PlannedWrite | undefined },
  ): Promise<NamedStep | undefined> {
    const { objectType, action } = named;
    const keys = touchedName(named, name);
    if (create === 'alone') return undefined;
    if (create !== undefined) {
      if ('error' in create) return { ended: create, name, keys };
      return { create, name, keys: [...keys, ...touchedKeys(objectType, create.values.changes)] };
    }
    const error = whyNot(named, found);
    if (error !== undefined) return { ended: { error }, name, keys };
    if (found === undefined) return undefined;
    const { id } = found;
    const changes = change?.values.changes ?? new Map<string, string | null>();
    const planned: RecordWrite = {
      action: action === 'upsert' ? 'update' : action,
      client,
      objectType,
      id,
      changes,
      configuration: change === undefined ? null : configuration,
    };
    if (named.property !== undefined && (await this.planner.hasSteps(planned))) return undefined;
    const taken = action === 'restore' ? ownKeys(found) : touchedKeys(objectType, changes, found);
    return { found, change, name, id, keys: [...keys, ...taken] };
  }
}

/** Why what is there cannot be written. */
function whyNot(
  { objectType, action }: StepContext['named'],
  found: FoundRecord | undefined,
): ReturnType<typeof recordNotFound> | undefined {
  if (found === undefined) return recordNotFound(objectType);
  switch (action) {
    case 'update':
      return found.archived ? recordArchived(objectType) : undefined;
    case 'archive':
      return found.archived ? recordNotFound(objectType) : undefined;
    case 'restore':
      return found.archived ? undefined : recordActive(objectType);
    case 'upsert':
      return undefined;
  }
}

/** Returns the first writes, until a name is that of one before. */
function untilRepeated(writes: readonly NamedWrite[]): readonly NamedWrite[] {
  const names = new Set<string>();
  const end = writes.findIndex(({ name }) => names.size === names.add(name).size);
  return end < 0 ? writes : writes.slice(0, end);
}
