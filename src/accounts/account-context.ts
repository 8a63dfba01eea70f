import type { Deadline, Transaction } from '../database/index.js';

/**
 * The account on whose behalf something runs. It is the first argument of every service and repository
 * method, so that no statement can omit the account.
 */
export interface AccountContext {
  readonly accountId: string;
  /** When its request must be answered; undefined for a command, and for what requests share. */
  readonly deadline?: Deadline | undefined;
  /** The id of its request, which the history of what it changes names; undefined for a command. */
  readonly requestId?: string | undefined;
  /** A transaction that the work is part of; undefined for work with transactions of its own. */
  readonly transaction?: Transaction | undefined;
}

/** A part of an account's configuration that a reader knows already. */
export interface KnownPart<T> {
  readonly part: T;
  /** The version of the configuration in which the reader has read it. */
  readonly version: string;
}

/** What may be the slug of an account, and how messages say so. */
export const SLUG = {
  pattern: /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/,
  allowed: '1 to 63 lower-case letters, digits and inner hyphens',
};
