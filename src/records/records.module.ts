import { Module } from '@nestjs/common';
import { ConfigurationModule } from '../configuration/index.js';
import { FieldsModule } from '../fields/index.js';
import { BulkPlanner } from './batch/bulk.planner.js';
import { BulkWriter } from './batch/bulk.writer.js';
import { RecordBatchService } from './batch/record-batch.service.js';
import { CounterNeeds } from './counts/counter-needs.js';
import { RecordCountsCheck } from './counts/record-counts-check.js';
import { RecordCountsRepository } from './counts/record-counts.repository.js';
import { RecordHistoryRepository } from './history/record-history.repository.js';
import { RecordHistoryService } from './history/record-history.service.js';
import { WriteAuthors } from './history/write-authors.js';
import { IndexJob } from './indexes/index.job.js';
import { RecordIndexesRepository } from './indexes/record-indexes.repository.js';
import { RecordMatcher } from './matching/record-matcher.js';
import { OwnedRecordsRepository } from './owned-records.repository.js';
import { RecordHooks } from './record-hooks.js';
import { RecordScanner } from './record-scanner.js';
import { RecordValidator } from './record-validator.js';
import { RecordsRepository } from './records.repository.js';
import { RecordsService } from './records.service.js';
import { ReferenceResolver } from './references/reference-resolver.js';
import { RecordSearchRepository } from './search/record-search.repository.js';
import { RecordSearchService } from './search/record-search.service.js';
import { StoredValuesCheck } from './stored-values.check.js';
import { UpsertsService } from './upserts.service.js';

const PROVIDERS = [
  BulkPlanner,
  BulkWriter,
  CounterNeeds,
  IndexJob,
  OwnedRecordsRepository,
  RecordBatchService,
  RecordCountsCheck,
  RecordCountsRepository,
  RecordHistoryRepository,
  RecordHistoryService,
  RecordHooks,
  RecordIndexesRepository,
  RecordMatcher,
  RecordScanner,
  RecordSearchRepository,
  RecordSearchService,
  RecordValidator,
  RecordsRepository,
  RecordsService,
  ReferenceResolver,
  StoredValuesCheck,
  UpsertsService,
  WriteAuthors,
];

@Module({
  imports: [ConfigurationModule, FieldsModule],
  providers: PROVIDERS,
  exports: PROVIDERS,
})
export class RecordsModule {}
