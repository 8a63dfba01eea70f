import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { OBJECT_TYPE_RULES, type ObjectType } from '../../fields/index.js';
import { OWNER } from './record-counts.statements.js';

/** Active records of an account that are counted by their owners. */
export interface CountedRecords {
  readonly objectType: ObjectType;
  /** The user field that names the owner. */
  readonly ownerField: string;
  /** Only records that have one of the values in the field. */
  readonly having?: { readonly field: string; readonly values: readonly string[] };
}

/** What a version of an account's configuration lets count. */
export interface NeededCounters {
  readonly accountId: string;
  readonly version: string;
  readonly counted: readonly CountedRecords[];
}

/** The id of the counter of these records. It follows from what is counted, so a reader finds it alone. */
export function counterOf({ objectType, ownerField, having }: CountedRecords): string {
  if (having === undefined && OBJECT_TYPE_RULES[objectType].ownerField === ownerField) return OWNER;
  const values = having === undefined ? null : [...new Set(having.values)].sort();
  const hash = createHash('sha256').update(JSON.stringify([ownerField, having?.field ?? null, values]));
  return hash.digest('hex').slice(0, 32);
}

/** Configurations that a process remembers. */
const MOST = 2_000;

/** What configurations let count, until the job of the process has seen to it. */
@Injectable()
export class CounterNeeds {
  private readonly asked = new LRUCache<string, true>({ max: MOST });
  private readonly waiting = new Map<string, NeededCounters>();

  /** Asks for the counters of a configuration. Costs nothing where somebody has asked for them. */
  add(needed: NeededCounters): void {
    const key = `${needed.accountId} ${needed.version}`;
    if (this.asked.has(key)) return;
    this.asked.set(key, true);
    this.waiting.set(needed.accountId, needed);
  }

  /** Returns what was asked for and is not done. */
  open(): readonly NeededCounters[] {
    return [...this.waiting.values()];
  }

  /** Forgets what is done, unless another configuration has come. */
  done(needed: NeededCounters): void {
    if (this.waiting.get(needed.accountId) === needed) this.waiting.delete(needed.accountId);
  }
}
