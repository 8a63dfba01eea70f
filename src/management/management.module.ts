import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/index.js';
import { ApiClientsModule } from '../auth/index.js';
import { CapacitiesModule } from '../capacities/index.js';
import { DirectoryModule } from '../directory/index.js';
import { FieldsModule } from '../fields/index.js';
import { RecordsModule } from '../records/index.js';
import { RoutersModule } from '../routers/index.js';
import { AuditController } from './audit/audit.controller.js';
import { AuditService } from './audit/audit.service.js';
import { AuditRepository } from './change/audit.repository.js';
import { ChangesService } from './change/changes.service.js';
import { AccountSection } from './file/apply/account.section.js';
import { APPLY_SECTIONS, type ApplySection } from './file/apply/apply-section.js';
import { ApplyService } from './file/apply/apply.service.js';
import { CapacitiesSection } from './file/apply/capacities.section.js';
import { FieldsSection } from './file/apply/fields.section.js';
import { RoutersSection } from './file/apply/routers.section.js';
import { TeamsSection } from './file/apply/teams.section.js';
import { UsersSection } from './file/apply/users.section.js';
import { ExportService } from './file/export.service.js';
import { RouterContents } from './routers/router-contents.js';
import { RouterDrafter } from './routers/router-drafter.js';
import { RouterPublisher } from './routers/router-publisher.js';
import { RoutersManagementController } from './routers/routers-management.controller.js';
import { RoutersManagementService } from './routers/routers-management.service.js';
import { RoutersEditor } from './routers/routers.editor.js';
import { UsersController } from './users/users.controller.js';
import { UserReferences } from './users/user-references.js';
import { UsersEditor } from './users/users.editor.js';
import { UsersService } from './users/users.service.js';

/** The order is that of their references: each section refers only to earlier ones. */
const SECTIONS = [
  AccountSection,
  FieldsSection,
  UsersSection,
  TeamsSection,
  CapacitiesSection,
  RoutersSection,
];

/** What changes the configuration of accounts, by file and by commands. */
@Module({
  imports: [
    AccountsModule,
    ApiClientsModule,
    CapacitiesModule,
    DirectoryModule,
    FieldsModule,
    RecordsModule,
    RoutersModule,
  ],
  controllers: [AuditController, RoutersManagementController, UsersController],
  providers: [
    ApplyService,
    AuditRepository,
    AuditService,
    ChangesService,
    ExportService,
    RouterContents,
    RouterDrafter,
    RouterPublisher,
    RoutersEditor,
    RoutersManagementService,
    UserReferences,
    UsersEditor,
    UsersService,
    ...SECTIONS,
    {
      provide: APPLY_SECTIONS,
      inject: SECTIONS,
      useFactory: (...sections: ApplySection[]) => sections,
    },
  ],
  exports: [ApplyService, ChangesService, ExportService],
})
export class ManagementModule {}
