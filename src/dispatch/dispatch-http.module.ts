import { Module } from '@nestjs/common';
import { DispatchController } from './dispatch.controller.js';
import { IdempotencyModule } from '../idempotency/http.js';
import { DispatchModule } from './dispatch.module.js';

@Module({
  imports: [DispatchModule, IdempotencyModule],
  controllers: [DispatchController],
  exports: [DispatchModule],
})
/** The routes of the room. */
export class DispatchHttpModule {}
