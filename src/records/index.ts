export type { CountedRecords } from './counts/counter-needs.js';
export { countValues } from './counts/count-values.js';
export { RecordCountsCheck } from './counts/record-counts-check.js';
export { recordsOfAccounts } from './counts/record-counts.statements.js';
export { IMPORT_CLIENT, WriteAuthors } from './history/write-authors.js';
export { RecordMatcher } from './matching/record-matcher.js';
export type { BulkWrites } from './batch/bulk.planner.js';
export { BulkWriter, type ItemResult } from './batch/bulk.writer.js';
export { RecordScanner, type RecordScan } from './record-scanner.js';
export { OwnedRecordsRepository, type RecordOwner } from './owned-records.repository.js';
export { insertPastRecords, type PastRecord } from './past-records.js';
export {
  RecordHooks,
  type RecordHook,
  type RecordWrite,
  type RecordWriteSteps,
  type WrittenRecord,
} from './record-hooks.js';
export { RecordsModule } from './records.module.js';
export { ReferenceResolver } from './references/reference-resolver.js';
export type { KeyValue, RecordKey } from './record-key.js';
export type { RecordSelection } from './record-selection.js';
export { RecordsService } from './records.service.js';
export {
  awaitRecords,
  existingIds,
  lockRecords,
  ownerFields,
  recordsByIds,
  setOwners,
  type NewOwner,
} from './records.sql.js';
export { RecordValidator } from './record-validator.js';
export { StoredValuesCheck } from './stored-values.check.js';
export { parseFilter, searchLookup } from './search/searched-field.js';
export { shownRecord, valueOf, type RecordView, type StoredRecord } from './record-view.js';
