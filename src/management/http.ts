import { Module } from '@nestjs/common';
import type { Schemas } from '../http/index.js';
import { AuditController, auditSchemas } from './audit/audit.controller.js';
import { AuditService } from './audit/audit.service.js';
import { ClientRotationController, credentialSchemas } from './kinds/client-rotation.controller.js';
import { MemberAccessController, memberAccessSchemas } from './kinds/member-access.controller.js';
import { managedController } from './managed/managed.controller.js';
import { kindSchemas } from './managed/managed-docs.js';
import { KINDS, ManagementModule } from './management.module.js';
import { routerBodySchemas } from './routers/router.schemas.js';
import { RoutersController } from './routers/routers.controller.js';

// What of the room only the HTTP service loads.
export { routerSchemas } from './routers/router.schemas.js';

/** The routes of the room, and its work in the background. */
@Module({
  imports: [ManagementModule],
  controllers: [
    AuditController,
    ...KINDS.map(managedController),
    ClientRotationController,
    MemberAccessController,
    RoutersController,
  ],
  providers: [AuditService],
  exports: [ManagementModule],
})
export class ManagementHttpModule {}

/** Returns the schemas of what is managed in the OpenAPI document. */
export const managementSchemas = (): Schemas =>
  Object.assign(
    {
      ...auditSchemas(),
      ...routerBodySchemas(),
      ...credentialSchemas(),
      ...memberAccessSchemas(),
    },
    ...KINDS.map(({ docs }) => kindSchemas(docs)),
  ) as Schemas;
