import { Module } from '@nestjs/common';
import { DispatchController } from './dispatch.controller.js';
import { FairnessController } from './fairness/fairness.controller.js';
import { IdempotencyModule } from '../idempotency/http.js';
import { DispatchModule } from './dispatch.module.js';

// What of the room only the HTTP service loads.
export { dispatchSchemas } from './dispatch.schemas.js';
export { SimulateDto } from './dto/dispatch.dto.js';

/** The routes of the room. */
@Module({
  imports: [DispatchModule, IdempotencyModule],
  controllers: [DispatchController, FairnessController],
  exports: [DispatchModule],
})
export class DispatchHttpModule {}
