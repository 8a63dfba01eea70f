import type { AccountContext, AccountEntity } from '../../accounts/index.js';
import type { Transaction } from '../../database/index.js';
import { DomainError, type FieldError } from '../../errors/domain-error.js';
import { DuplicateError } from '../../errors/duplicate.error.js';
import { invalid, MAX_ERRORS, notFound, preconditionFailed } from '../../errors/errors.js';
import { valueChanges, type ValueChange } from './value-changes.js';
import { capitalized } from '../../text/capitalized.js';

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

type Kind = ChangedObject['kind'];

/** 409: an active object of the account has the key already. @param field the key, such as `email` */
export function duplicate(kind: Kind, field: string, existingId: string): DomainError {
  return new DuplicateError(kind, [{ field, existingId }]);
}

/** 404: the account has no such object, or it cannot be archived again. */
export function objectNotFound(kind: Kind): DomainError {
  return notFound(`${capitalized(kind)} not found`);
}

/** @param versions of which it must have one; any unless given @throws 412 */
export function requireCurrent(
  kind: Kind,
  version: string | undefined,
  versions: readonly string[] | undefined,
): void {
  if (versions === undefined || versions.includes(version ?? '')) return;
  throw preconditionFailed(`The ${kind} is no longer as If-Match says`);
}

/** Most names in a message. */
const NAMED = 5;

/** Why something is not removed. */
export interface InUse {
  /** What the pruning of a file says. */
  readonly message: string;
  /** What a request is answered: 409. */
  readonly error: DomainError;
}

/** Lists names: all of them, or the first of many. */
export function firstOf(names: readonly string[]): string {
  const others = names.length - NAMED;
  return `${names.slice(0, NAMED).join(', ')}${others > 0 ? ` and ${others} more` : ''}`;
}

/** Says what uses `The team Sales`: `the router Inbound` and others, in the error up to a bound. */
export function inUse(what: string, uses: readonly string[]): InUse {
  const message = `${what} is in use: ${firstOf(uses)}`;
  const omitted = uses.length - MAX_ERRORS;
  const error = new DomainError('conflict', message, {
    errors: uses.slice(0, MAX_ERRORS).map((use) => ({ message: use })),
    ...(omitted > 0 ? { omitted } : {}),
  });
  return { message, error };
}

/** Returns what keeps rows from being removed, by their ids; nothing for those that nothing uses. */
export function usesById<Row extends { readonly id: string }>(
  rows: readonly Row[],
  find: (row: Row) => { readonly what: string; readonly uses: readonly string[] },
): ReadonlyMap<string, InUse> {
  return new Map(
    rows.flatMap((row) => {
      const { what, uses } = find(row);
      return uses.length === 0 ? [] : [[row.id, inUse(what, uses)] as const];
    }),
  );
}
