export { RecordExporter } from './export/record-exporter.js';
export type { ImportCounts } from './import/imported-row.js';
export { RecordImporter, type FileRules, type MappedColumn } from './import/record-importer.js';
export type { Rejection, RowSource } from './rows/source-row.js';
export { TransferModule } from './transfer.module.js';
