import { Module } from '@nestjs/common';
import { DirectoryModule } from '../directory/index.js';
import { FieldsModule } from '../fields/index.js';
import { RoutersController } from './routers.controller.js';
import { RoutersModule } from './routers.module.js';
import { RoutersService } from './routers.service.js';

/** The routes of the room. */
@Module({
  imports: [DirectoryModule, FieldsModule, RoutersModule],
  controllers: [RoutersController],
  providers: [RoutersService],
  exports: [RoutersModule],
})
export class RoutersHttpModule {}
