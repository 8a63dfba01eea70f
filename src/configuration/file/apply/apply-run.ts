import { isDeepStrictEqual } from 'node:util';
import type { AccountContext } from '../../../accounts/index.js';
import type { Transaction } from '../../../database/index.js';
import type { FieldError } from '../../../errors/domain-error.js';
import type { PlannedChange } from '../plan.js';

/** The transaction of one account that the sections of a file are applied in, collecting what they do and find wrong. */
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

  /** @param keys as the entity or the file calls them; the plan has the file's spelling. */
  updated(kind: PlannedChange['kind'], name: string, keys: readonly string[]): void {
    const spelled = keys.map((key) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
    this.changes.push({ action: 'update', kind, name, keys: spelled });
  }

  refuse(field: string, message: string): void {
    this.errors.push({ field: `${this.path}.${field}`, message });
  }
}

/** Leaves out the keys whose value is undefined: what the file does not mention is not changed. */
export function mentioned<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}

/** The keys of `wanted` whose values `present` has otherwise, compared as the JSON they are stored as. */
export function differingKeys(present: object, wanted: object): string[] {
  const before = new Map(Object.entries(present));
  return Object.entries(wanted)
    .filter(([key, value]) => !isDeepStrictEqual(toJson(before.get(key)), toJson(value)))
    .map(([key]) => key);
}

function toJson(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}
