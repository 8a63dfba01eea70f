import { isDeepStrictEqual } from 'node:util';
import type { AccountContext } from '../../../accounts/index.js';
import type { Transaction } from '../../../database/index.js';
import type { FieldError } from '../../../errors/domain-error.js';
import type { PlannedChange } from '../plan.js';

/** The transaction in which the sections of one account are applied. Collects their changes and errors. */
export class ApplyRun {
  readonly changes: PlannedChange[] = [];
  readonly errors: FieldError[] = [];

  constructor(
    readonly tx: Transaction,
    readonly account: AccountContext,
    /** Path of the account in the file, such as `accounts[0]`. */
    readonly path: string,
  ) {}

  created(kind: PlannedChange['kind'], name: string): void {
    this.changes.push({ action: 'create', kind, name });
  }

  /**
   * Adds an update to the plan.
   * @param keys names of the entity or of the file; the plan uses the names of the file
   */
  updated(kind: PlannedChange['kind'], name: string, keys: readonly string[]): void {
    const spelled = keys.map((key) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
    this.changes.push({ action: 'update', kind, name, keys: spelled });
  }

  refuse(field: string, message: string): void {
    this.errors.push({ field: `${this.path}.${field}`, message });
  }
}

/** Removes the keys whose value is undefined, because what the file does not contain does not change. */
export function mentioned<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}

/** Returns the keys of `wanted` whose values differ from those of `present`, compared as JSON. */
export function differingKeys(present: object, wanted: object): string[] {
  const before = new Map(Object.entries(present));
  return Object.entries(wanted)
    .filter(([key, value]) => !isDeepStrictEqual(toJson(before.get(key)), toJson(value)))
    .map(([key]) => key);
}

function toJson(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}
