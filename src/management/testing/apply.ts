import type { Transaction } from '../../database/index.js';
import { commandAuthor } from '../change/author.js';
import { ConfigurationChange } from '../change/configuration-change.js';
import { accountPlan } from '../file/plan.js';

/** The account that the sections of these tests are applied to. */
export const ACME = { accountId: 'acme' };

/** The transaction that it happens in. */
export const TX = { name: 'transaction' } as unknown as Transaction;

const PATH = 'accounts[0]';

/** A change by the first account of a file. */
export const newRun = (): ConfigurationChange =>
  new ConfigurationChange(TX, ACME, { author: commandAuthor('apply'), path: PATH });

/** What a change has done, in short: `update user ada (name)`. */
export const done = ({ changes }: ConfigurationChange): string[] =>
  accountPlan('acme', changes).changes.map(({ action, kind, name, keys }) =>
    [action, kind, name, ...(keys === undefined ? [] : [`(${keys.join()})`])].join(' '),
  );

/** What a change has refused: `users[0].email: message`. */
export const refused = ({ errors }: ConfigurationChange): string[] =>
  errors.map(({ field, message }) => `${(field ?? '').replace(`${PATH}.`, '')}: ${message}`);
