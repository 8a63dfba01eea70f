import { Module } from '@nestjs/common';
import { OBJECT_TYPES } from '../fields/index.js';
import { IdempotencyModule } from '../idempotency/http.js';
import { CountJob } from './counts/count-job.js';
import { HistoryPruner } from './history/history.pruner.js';
import { recordsController } from './records.controller.js';
import { RecordsModule } from './records.module.js';

/** The routes of the room. */
@Module({
  imports: [IdempotencyModule, RecordsModule],
  controllers: OBJECT_TYPES.map(recordsController),
  providers: [CountJob, HistoryPruner],
  exports: [RecordsModule],
})
export class RecordsHttpModule {}
