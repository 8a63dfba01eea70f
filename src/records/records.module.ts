import { Module } from '@nestjs/common';
import { ConfigurationModule } from '../configuration/index.js';
import { DispatchModule } from '../dispatch/index.js';
import { FieldsModule, OBJECT_TYPES } from '../fields/index.js';
import { recordsController } from './records.controller.js';
import { RecordsRepository } from './records.repository.js';
import { RecordsService } from './records.service.js';

@Module({
  imports: [ConfigurationModule, DispatchModule, FieldsModule],
  controllers: OBJECT_TYPES.map(recordsController),
  providers: [RecordsRepository, RecordsService],
  exports: [RecordsRepository],
})
export class RecordsModule {}
