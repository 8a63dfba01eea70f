import { Injectable } from '@nestjs/common';
import { Background, Database } from '../database/index.js';
import { IdempotencyRepository } from './idempotency.repository.js';

const INTERVAL_MS = 600_000;

/** Drops answers that are kept no longer, every ten minutes. Several processes may do so at once. */
@Injectable()
export class AnswersPruner {
  constructor(
    private readonly database: Database,
    private readonly answers: IdempotencyRepository,
    private readonly background: Background,
  ) {
    const failure = 'Answers to requests with idempotency keys could not be dropped';
    background.repeat({ name: 'answers_sweep', every: INTERVAL_MS, failure, run: () => this.prune() });
  }

  /** @returns how many were dropped */
  prune(): Promise<number> {
    return this.background.inSlices((most) => this.answers.dropOld(this.database, most));
  }
}
