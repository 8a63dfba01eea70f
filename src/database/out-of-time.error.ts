import { DatabaseUnavailableError } from './database-unavailable.error.js';

/** The request that the work is for must be answered. It says nothing about the database. */
export class OutOfTimeError extends DatabaseUnavailableError {
  constructor() {
    super(new Error('No time is left for the request'), false);
    this.name = 'OutOfTimeError';
  }
}
