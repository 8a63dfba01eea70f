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
import { WritePlanner } from './write-planner.js';

/** Tells what is to be done for writes by what is there, and which of them do not depend on each other. */
@Injectable()
export class StepPlanner {
  /** How many records may be written together: a statement returns them whole, but for long fields. */
  readonly most: number;

  constructor(
    private readonly database: Database,
    private readonly repository: NamedRecordsRepository,
    private readonly planner: WritePlanner,
    { maxBytes }: RecordValidator,
  ) {
    this.most = Math.max(1, Math.floor(PAGE_BYTES / maxBytes));
  }

  /**
   * Returns what is to be done for the first writes: for as many as do not depend on each other, and for one
   * behind them that is known to be done alone.
   */
  async first(context: StepContext, writes: readonly NamedWrite[]): Promise<NamedStep[]> {
    const { size } = context;
    const some = untilRepeated(writes.slice(0, size.now));
    const names = some.map(({ name }) => name);
    // Nothing is won by one.
    if (some.length < 2) {
      size.note(some.length, some.length);
      return names.map(alone);
    }
    const found = await this.found(context, names);
    const touched = new Touched();
    const steps: NamedStep[] = [];
    for (const [index, write] of some.entries()) {
      const step = await this.step(context, write, { found: found[index], touched });
      if (step !== undefined) steps.push(step);
      if (step === undefined || isAlone(step)) break;
    }
    size.note(some.length, steps.filter((step) => !isAlone(step)).length);
    return steps;
  }

  private async found(
    { client, named: { objectType, property }, known }: StepContext,
    names: readonly string[],
  ): Promise<(FoundRecord | undefined)[]> {
    // A record may have a key by now that none had when the lock was asked for.
    if (known !== undefined && (property === undefined || names.every((name) => known.has(name))))
      return names.map((name) => known.get(name));
    return this.repository.find(this.database.for(client), client, { objectType, property, names });
  }

  /** @returns undefined for a write that depends on one before */
  private async step(
    context: StepContext,
    write: NamedWrite,
    { found, touched }: { readonly found: FoundRecord | undefined; readonly touched: Touched },
  ): Promise<NamedStep | undefined> {
    const step = planned(context.named, write, found);
    if (!touched.add(step)) return undefined;
    // Hooks may read what is written: they are asked when all before the group is.
    const asked = isAlone(step) ? undefined : askedOf(context, write, { step, found });
    return asked !== undefined && (await this.planner.hasSteps(asked)) ? alone(step.name) : step;
  }
}

const alone = (name: string): NamedStep => ({ name, keys: [] });

const isAlone = ({ ended, create, found }: NamedStep): boolean =>
  ended === undefined && create === undefined && found === undefined;

/** The write about which hooks are asked, as they are of a single one; undefined where they are not. */
function askedOf(
  { client, configuration, named }: StepContext,
  { name, change }: NamedWrite,
  { step, found }: { readonly step: NamedStep; readonly found: FoundRecord | undefined },
): RecordWrite | undefined {
  const { objectType, action, property } = named;
  if (step.create !== undefined) {
    const { changes } = step.create.values;
    return { action: 'create', client, objectType, id: null, changes, configuration };
  }
  // By an id also about a record that is not there, but for a restore, which looks first.
  const id = found?.id ?? (property === undefined && action !== 'restore' ? name : undefined);
  if (id === undefined) return undefined;
  return {
    action: action === 'upsert' ? 'update' : action,
    client,
    objectType,
    id,
    changes: change?.values.changes ?? new Map<string, string | null>(),
    configuration: change === undefined ? null : configuration,
  };
}

/** What is to be done for a write, as far as hooks do not say otherwise. */
function planned(
  named: StepContext['named'],
  { name, change, of, create: planCreate }: NamedWrite,
  found: FoundRecord | undefined,
): NamedStep {
  const { objectType, action } = named;
  const keys = touchedName(named, name);
  if (action === 'upsert' && found === undefined) {
    const create = planCreate();
    if (create === 'alone') return alone(name);
    if ('error' in create) return { ended: create, name, keys };
    return { create, name, keys: [...keys, ...touchedKeys(objectType, create.values.changes)] };
  }
  const error = whyNot(named, found);
  if (error !== undefined) return { ended: { error }, name, keys };
  if (found === undefined || (of !== undefined && found.id !== of)) return alone(name);
  const changes = change?.values.changes ?? new Map<string, string | null>();
  const taken = action === 'restore' ? ownKeys(found) : touchedKeys(objectType, changes, found);
  return { found, change, name, id: found.id, keys: [...keys, ...taken] };
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
