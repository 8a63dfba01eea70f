import { NoAnswerError } from './no-answer.error.js';

/** The request that the work is for must be answered. It says nothing about the database. */
export class OutOfTimeError extends NoAnswerError {
  constructor() {
    super('No time is left for the request');
    this.name = 'OutOfTimeError';
  }
}
