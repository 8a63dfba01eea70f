import type { AccountContext, AccountEntity } from '../../accounts/index.js';
import type { Transaction } from '../../database/index.js';
import type { FieldError } from '../../errors/domain-error.js';
import { invalid } from '../../errors/errors.js';
import { valueChanges, type ValueChange } from './value-changes.js';

/** What is done to an object of the configuration. */
export const CHANGES = [
  'create',
  'update',
  'archive',
  'publish',
  'unpublish',
  'rollback',
  'discard',
  'rotate',
  'link',
  'sign_out',
  'enter',
  'leave',
  'refuse',
] as const;
export type ChangeAction = (typeof CHANGES)[number];

/** The kinds of objects of a configuration. */
export const CHANGED_KINDS = [
  'account',
  'user',
  'team',
  'field',
  'capacity',
  'router',
  'client',
  'member',
] as const;

/** An object of the configuration. */
export interface ChangedObject {
  readonly kind: (typeof CHANGED_KINDS)[number];
  readonly id: string;
  /** What the configuration file calls it. A field: `contacts.region`. */
  readonly name: string;
}

/** Whether a change of a router is one of its draft. */
interface DraftChange {
  /** Only drafts change, which no dispatch and no record reads: the version of the configuration stays. */
  readonly draftOnly?: boolean | undefined;
  /** The values are those of the draft of a router, all but `published`. */
  readonly draft?: boolean | undefined;
}

/** One change of one object, as the plan and the audit tell it. */
export interface PlannedChange extends DraftChange {
  readonly action: ChangeAction;
  readonly object: ChangedObject;
  readonly values: readonly ValueChange[];
}

/** Who changes the configuration: an API client, a member, or the program: a command, or `APPLY_FILE`. */
export interface Author {
  readonly kind: 'client' | 'user' | 'command';
  /** Of the client or of the member; null for the program. */
  readonly id: string | null;
  readonly name: string;
  /** The request that makes the change; null for the program. */
  readonly requestId: string | null;
}

/** Returns the author of what the program changes. @param name such as `apply` or `APPLY_FILE` */
export function commandAuthor(name: string): Author {
  return { kind: 'command', id: null, name, requestId: null };
}

/** Reports that a key of an object cannot be as it is wanted. */
export type Fail = (key: string, message: string) => void;

/** An object as the file spells it. */
interface ChangedForms extends DraftChange {
  /** Null for a new one. */
  readonly before: object | null;
  readonly after: object;
}

/** The transaction in which one configuration changes. Collects what changes and what fails. */
export class ConfigurationChange {
  readonly changes: PlannedChange[] = [];
  readonly errors: FieldError[] = [];
  /** Values of the account itself, which are written last: dispatches wait for its row. */
  accountValues: Partial<AccountEntity> = {};
  readonly author: Author;
  private readonly prefix: string;

  /** @param options `path`: that of the account in the file, such as `accounts[0]`; empty for a request */
  constructor(
    readonly tx: Transaction,
    readonly account: AccountContext,
    { author, path = '' }: { readonly author: Author; readonly path?: string },
  ) {
    this.author = author;
    this.prefix = path === '' ? '' : `${path}.`;
  }

  /**
   * Notes that an object becomes another, if anything differs.
   * @param forms the object as the file spells it, before (null for a new one) and after
   */
  changed(object: ChangedObject, { before, after, ...details }: ChangedForms): boolean {
    const values = valueChanges(before, after);
    if (before !== null && values.length === 0) return false;
    this.did(before === null ? 'create' : 'update', object, { values, ...details });
    return true;
  }

  /** Notes an action on an object. */
  did(
    action: ChangeAction,
    object: ChangedObject,
    { values = [], ...drafts }: DraftChange & { readonly values?: readonly ValueChange[] } = {},
  ): void {
    this.changes.push({ action, object, values, ...drafts });
  }

  /** @param field path from the account downwards, such as `users[1].email` */
  fail(field: string, message: string): void {
    this.errors.push({ field: this.prefix + field, message });
  }

  /** Returns what reports a failing key of one object. @param path of the object; empty for a body */
  failAt(path: string): Fail {
    return (key, message) => this.fail(path === '' ? key : `${path}.${key}`, message);
  }

  /** @throws 400 listing what has failed so far */
  throwIfFailed(): void {
    if (this.errors.length > 0) throw invalid(this.errors);
  }

  /** Returns what changes of one object, as the audit tells it. */
  valuesOf(id: string): ValueChange[] {
    return this.changes.filter(({ object }) => object.id === id).flatMap(auditedValues);
  }
}

/**
 * Returns the values of a change as the audit tells them. It names `archived`, which forms do not have, and
 * tells the draft of a router, whose paths begin with `draft.`, from what is live.
 */
export function auditedValues(change: PlannedChange): readonly ValueChange[] {
  const { action, draftOnly = false, draft = draftOnly, values } = change;
  if (action === 'archive') return [{ path: 'archived', from: false, to: true }, ...values];
  if (!draft) return values;
  // Whether a router is published is never part of its draft.
  return values.map((each) => (each.path === 'published' ? each : { ...each, path: `draft.${each.path}` }));
}
