import { Module } from '@nestjs/common';
import { ConfigurationModule } from '../configuration/index.js';
import { FieldsModule } from '../fields/index.js';
import { CounterNeeds } from './counts/counter-needs.js';
import { RecordCountsCheck } from './counts/record-counts-check.js';
import { RecordCountsRepository } from './counts/record-counts.repository.js';
import { BatchReader } from './batch/batch-reader.js';
import { IndexBuilder } from './indexes/index-builder.js';
import { RecordIndexesRepository } from './indexes/record-indexes.repository.js';
import { RecordBatchService } from './batch/record-batch.service.js';
import { RecordHistoryRepository } from './history/record-history.repository.js';
import { RecordHistoryService } from './history/record-history.service.js';
import { WriteAuthors } from './history/write-authors.js';
import { KeyedRecordsService } from './keyed-records.service.js';
import { CreatedRecordsRepository } from './many/created-records.repository.js';
import { CreatedRecordsService } from './many/created-records.service.js';
import { NamedPlanner } from './many/named-planner.js';
import { NamedRecordsRepository } from './many/named-records.repository.js';
import { NamedRecordsService } from './many/named-records.service.js';
import { StepPlanner } from './many/step-planner.js';
import { StepWriter } from './many/step-writer.js';
import { WritePlanner } from './many/write-planner.js';
import { MatchedRecordsRepository } from './matching/matched-records.repository.js';
import { RecordMatcher } from './matching/record-matcher.js';
import { OwnedRecordsRepository } from './owned-records.repository.js';
import { RecordHooks } from './record-hooks.js';
import { RecordScanner } from './record-scanner.js';
import { RecordValidator } from './record-validator.js';
import { RecordValuesRepository } from './record-values.repository.js';
import { RecordsRepository } from './records.repository.js';
import { RecordExpander } from './references/record-expander.js';
import { ReferenceResolver } from './references/reference-resolver.js';
import { TargetsRepository } from './references/targets.repository.js';
import { RecordsService } from './records.service.js';
import { RecordSearchRepository } from './search/record-search.repository.js';
import { RecordSearchService } from './search/record-search.service.js';
import { SearchReader } from './search/search-reader.js';

@Module({
  imports: [ConfigurationModule, FieldsModule],
  providers: [
    BatchReader,
    CounterNeeds,
    IndexBuilder,
    KeyedRecordsService,
    CreatedRecordsRepository,
    CreatedRecordsService,
    MatchedRecordsRepository,
    NamedPlanner,
    NamedRecordsRepository,
    NamedRecordsService,
    OwnedRecordsRepository,
    RecordBatchService,
    RecordCountsCheck,
    RecordCountsRepository,
    RecordExpander,
    RecordHistoryRepository,
    RecordHistoryService,
    RecordHooks,
    RecordIndexesRepository,
    RecordMatcher,
    RecordScanner,
    RecordSearchRepository,
    RecordSearchService,
    SearchReader,
    RecordValidator,
    RecordValuesRepository,
    RecordsRepository,
    RecordsService,
    ReferenceResolver,
    StepPlanner,
    StepWriter,
    TargetsRepository,
    WritePlanner,
    WriteAuthors,
  ],
  exports: [
    CounterNeeds,
    KeyedRecordsService,
    NamedRecordsService,
    OwnedRecordsRepository,
    RecordBatchService,
    RecordCountsRepository,
    RecordExpander,
    RecordHistoryRepository,
    RecordHistoryService,
    RecordHooks,
    RecordMatcher,
    RecordScanner,
    RecordSearchService,
    RecordValuesRepository,
    RecordsService,
    ReferenceResolver,
    WriteAuthors,
  ],
})
export class RecordsModule {}
