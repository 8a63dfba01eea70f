import { Module } from '@nestjs/common';
import { AuditController } from './audit/audit.controller.js';
import { CapacitiesController } from './capacities/capacities.controller.js';
import { ClientRotationController, ClientsController } from './clients/clients.controller.js';
import { FieldsController } from './fields/fields.controller.js';
import { ManagementModule } from './management.module.js';
import { RoutersManagementController } from './routers/routers-management.controller.js';
import { TeamsController } from './teams/teams.controller.js';
import { UsersController } from './users/users.controller.js';

/** The routes of the room. */
@Module({
  imports: [ManagementModule],
  controllers: [
    AuditController,
    CapacitiesController,
    ClientsController,
    ClientRotationController,
    FieldsController,
    RoutersManagementController,
    TeamsController,
    UsersController,
  ],
  exports: [ManagementModule],
})
export class ManagementHttpModule {}
