import { Module } from '@nestjs/common';
import { AssignmentLogModule } from '../assignments/index.js';
import { ConfigurationModule } from '../configuration/index.js';
import { DispatchModule } from '../dispatch/index.js';
import { FieldsModule } from '../fields/index.js';
import { RecordsModule } from '../records/index.js';
import { RecordExporter } from './export/record-exporter.js';
import { ChunkImporter } from './import/chunk-importer.js';
import { RecordImporter } from './import/record-importer.js';
import { RowRouter } from './import/row-router.js';

/** Import and export of records. */
@Module({
  imports: [AssignmentLogModule, ConfigurationModule, DispatchModule, FieldsModule, RecordsModule],
  providers: [ChunkImporter, RecordExporter, RecordImporter, RowRouter],
  exports: [RecordExporter, RecordImporter],
})
export class TransferModule {}
