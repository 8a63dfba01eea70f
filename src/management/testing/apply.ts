import type { Transaction } from '../../database/index.js';
import { commandAuthor } from '../change/author.js';
import { ConfigurationChange } from '../change/configuration-change.js';

/** The transaction that it happens in. */
export const TX = { name: 'transaction' } as unknown as Transaction;

/** A change by the first account of a file. */
export const newRun = (): ConfigurationChange =>
  new ConfigurationChange(TX, { accountId: 'acme' }, { author: commandAuthor('apply'), path: 'accounts[0]' });
