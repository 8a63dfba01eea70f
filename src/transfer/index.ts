export { RecordExporter } from './export/record-exporter.js';
export { noCounts, type ImportCounts } from './import/chunk-importer.js';
export type { Preset } from './import/presets.js';
export {
  RecordImporter,
  type FileRules,
  type ImportRun,
  type MappedColumn,
} from './import/record-importer.js';
export { inUtf8 } from './rows/in-utf8.js';
export { readCsv } from './rows/read-csv.js';
export { readNdjson } from './rows/read-ndjson.js';
export type { Rejection, RowSource } from './rows/source-row.js';
export { TransferModule } from './transfer.module.js';
