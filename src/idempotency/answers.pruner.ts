import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Database, RepeatedWork } from '../database/index.js';
import { IdempotencyRepository } from './idempotency.repository.js';

const INTERVAL_MS = 600_000;

/** Drops answers that are kept no longer, every ten minutes. Several processes may do so at once. */
@Injectable()
export class AnswersPruner implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(AnswersPruner.name);
  private readonly pruning = new RepeatedWork(
    INTERVAL_MS,
    () => this.prune(),
    (reason) =>
      this.logger.error(`Answers to requests with idempotency keys could not be dropped: ${reason}`),
  );

  constructor(
    private readonly database: Database,
    private readonly answers: IdempotencyRepository,
  ) {}

  onApplicationBootstrap(): void {
    this.pruning.start('answers_sweep');
  }

  onModuleDestroy(): Promise<void> {
    return this.pruning.stop();
  }

  /** @returns how many were dropped */
  prune(): Promise<number> {
    return this.pruning.inSlices((most) => this.answers.dropOld(this.database, most));
  }
}
