export { RecordExporter, type ExportFormat } from './export/record-exporter.js';
export { noCounts, type ImportCounts } from './import/chunk-importer.js';
export { RecordImporter, type ImportRun } from './import/record-importer.js';
export { readCsv } from './rows/read-csv.js';
export { readNdjson } from './rows/read-ndjson.js';
export type { Rejection, RowSource } from './rows/source-row.js';
export { TransferModule } from './transfer.module.js';
