import type { Transaction } from '../../src/database/index.js';
import { commandAuthor, ConfigurationChange } from '../../src/management/change/configuration-change.js';

/** The transaction that it happens in. */
export const TX = { name: 'transaction' } as unknown as Transaction;

/** A change by the first account of a file. */
export const newRun = (): ConfigurationChange =>
  new ConfigurationChange(TX, { accountId: 'acme' }, { author: commandAuthor('apply'), path: 'accounts[0]' });
