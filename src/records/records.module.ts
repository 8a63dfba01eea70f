import { Module } from '@nestjs/common';
import { ConfigurationModule } from '../configuration/index.js';
import { FieldsModule } from '../fields/index.js';
import { CountFolder } from './counts/count-folder.js';
import { CounterKeeper } from './counts/counter-keeper.js';
import { CountersRepository } from './counts/counters.repository.js';
import { RecordCountsCheck } from './counts/record-counts-check.js';
import { RecordCountsRepository } from './counts/record-counts.repository.js';
import { IndexBuilder } from './indexes/index-builder.js';
import { RecordIndexesRepository } from './indexes/record-indexes.repository.js';
import { RecordBatchService } from './batch/record-batch.service.js';
import { KeyedRecordsService } from './keyed-records.service.js';
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

@Module({
  imports: [ConfigurationModule, FieldsModule],
  providers: [
    CountFolder,
    CounterKeeper,
    CountersRepository,
    IndexBuilder,
    KeyedRecordsService,
    MatchedRecordsRepository,
    OwnedRecordsRepository,
    RecordBatchService,
    RecordCountsCheck,
    RecordCountsRepository,
    RecordExpander,
    RecordHooks,
    RecordIndexesRepository,
    RecordMatcher,
    RecordScanner,
    RecordSearchRepository,
    RecordSearchService,
    RecordValidator,
    RecordValuesRepository,
    RecordsRepository,
    RecordsService,
    ReferenceResolver,
    TargetsRepository,
  ],
  exports: [
    KeyedRecordsService,
    OwnedRecordsRepository,
    RecordBatchService,
    RecordExpander,
    RecordHooks,
    RecordMatcher,
    RecordScanner,
    RecordSearchService,
    RecordValuesRepository,
    RecordsService,
    ReferenceResolver,
  ],
})
export class RecordsModule {}
