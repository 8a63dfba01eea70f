import { DatabaseUnavailableError } from './database-unavailable.error.js';

/** Work has waited for as long as it may, and nothing of it has happened. The cause may be a queue. */
export class NoAnswerError extends DatabaseUnavailableError {
  constructor(message = 'The database does not answer in time') {
    super(new Error(message), false);
    this.name = 'NoAnswerError';
  }
}
