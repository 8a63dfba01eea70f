import type { AccountContext, AccountEntity } from '../../accounts/index.js';
import type { Transaction } from '../../database/index.js';
import type { FieldError } from '../../errors/domain-error.js';
import { invalid } from '../../errors/errors.js';
import type { Author } from './author.js';
import type { ChangeAction, ChangedObject, PlannedChange } from './planned-change.js';
import { valueChanges, type ValueChange } from './value-changes.js';

/** Reports that a key of an object cannot be as it is wanted. */
export type Refuse = (key: string, message: string) => void;

/** What a change is part of. */
export interface ChangeOptions {
  readonly author: Author;
  /** Path of the account in the file, such as `accounts[0]`; empty for a request. */
  readonly path?: string;
}

/** An object as the file spells it. */
interface ChangedForms {
  /** Null for a new one. */
  readonly before: object | null;
  readonly after: object;
  readonly hidden?: boolean;
  readonly draft?: boolean;
}

/** What is known of a change beside its action and object; `hidden` and `draft` as in PlannedChange. */
interface ChangeDetails {
  readonly values?: readonly ValueChange[];
  readonly hidden?: boolean;
  readonly draft?: boolean;
}

/**
 * The transaction in which the configuration of one account changes. Collects what changes and what is
 * refused.
 */
export class ConfigurationChange {
  readonly changes: PlannedChange[] = [];
  readonly errors: FieldError[] = [];
  /** Values of the account itself, which are written last: dispatches wait for its row. */
  accountValues: Partial<AccountEntity> = {};
  readonly author: Author;
  private readonly prefix: string;

  constructor(
    readonly tx: Transaction,
    readonly account: AccountContext,
    { author, path = '' }: ChangeOptions,
  ) {
    this.author = author;
    this.prefix = path === '' ? '' : `${path}.`;
  }

  /**
   * Notes that an object becomes another.
   * @param forms the object as the file spells it, before (null for a new one) and after; `hidden` and
   *   `draft` as in PlannedChange
   * @returns whether anything differs; if not, nothing is noted
   */
  note(object: ChangedObject, { before, after, ...details }: ChangedForms): boolean {
    const values = valueChanges(before, after);
    if (before !== null && values.length === 0) return false;
    this.add(before === null ? 'create' : 'update', object, { values, ...details });
    return true;
  }

  /** Notes an action on an object. */
  add(
    action: ChangeAction,
    object: ChangedObject,
    { values = [], hidden = false, draft = false }: ChangeDetails = {},
  ): void {
    this.changes.push({
      action,
      object,
      values,
      ...(hidden ? { hidden } : {}),
      ...(draft || hidden ? { draft: true } : {}),
    });
  }

  /** @param field path from the account downwards, such as `users[1].email` */
  refuse(field: string, message: string): void {
    this.errors.push({ field: this.prefix + field, message });
  }

  /** @throws 400 listing what was refused so far */
  throwIfRefused(): void {
    if (this.errors.length > 0) throw invalid(this.errors);
  }

  /** Returns what reports a failing key of one object. @param path of the object; empty for a body */
  refusing(path: string): Refuse {
    return (key, message) => this.refuse(path === '' ? key : `${path}.${key}`, message);
  }
}

/** Removes the keys whose value is undefined, because what is not mentioned does not change. */
export function mentioned<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
