import { unavailable } from '../errors/errors.js';

/** The record that had a key has it no longer. Whoever has it by now is to be found anew. */
export class KeyLostError extends Error {
  /** @param last what is answered when it is not looked for any more */
  constructor(readonly last: Error = unavailable('The key of the record is changing, try again')) {
    super('The key was lost');
  }
}
