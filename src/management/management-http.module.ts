import { Module } from '@nestjs/common';
import { AuditController } from './audit/audit.controller.js';
import { ClientRotationController } from './kinds/client-rotation.controller.js';
import { managedController } from './managed/managed.controller.js';
import { KINDS, ManagementModule } from './management.module.js';
import { RoutersManagementController } from './routers/routers-management.controller.js';

/** The routes of the room. */
@Module({
  imports: [ManagementModule],
  controllers: [
    AuditController,
    ...KINDS.map(managedController),
    ClientRotationController,
    RoutersManagementController,
  ],
  exports: [ManagementModule],
})
export class ManagementHttpModule {}
