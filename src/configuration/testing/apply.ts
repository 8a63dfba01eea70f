import type { Transaction } from '../../database/index.js';
import { ApplyRun } from '../file/apply/apply-run.js';

/** The account that the sections of these tests are applied to. */
export const ACME = { accountId: 'acme' };

/** The transaction that it happens in. */
export const TX = { name: 'transaction' } as unknown as Transaction;

/** A run of the first account of a file. */
export const newRun = (): ApplyRun => new ApplyRun(TX, ACME, 'accounts[0]');

/** What a run has done, in short: `update user ada (name)`. */
export const done = ({ changes }: ApplyRun): string[] =>
  changes.map(({ action, kind, name, keys }) =>
    [action, kind, name, ...(keys === undefined ? [] : [`(${keys.join()})`])].join(' '),
  );

/** What a run has refused: `users[0].email: message`. */
export const refused = ({ errors, path }: ApplyRun): string[] =>
  errors.map(({ field, message }) => `${(field ?? '').replace(`${path}.`, '')}: ${message}`);
