export { RecordExporter, type ExportFormat } from './export/record-exporter.js';
export { noCounts, type ImportCounts } from './import/chunk-importer.js';
export type { Preset } from './import/presets.js';
export type { MappedColumn } from './import/preview-columns.js';
export { RecordImporter, type FileRules, type ImportRun } from './import/record-importer.js';
export { readCsv } from './rows/read-csv.js';
export { readNdjson } from './rows/read-ndjson.js';
export type { Rejection, RowSource } from './rows/source-row.js';
export { TransferModule } from './transfer.module.js';
