import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/index.js';
import { ApiClientsModule } from '../auth/index.js';
import { CapacitiesModule } from '../capacities/index.js';
import { DirectoryModule } from '../directory/index.js';
import { FieldsModule } from '../fields/index.js';
import { RecordsModule } from '../records/index.js';
import { RoutersModule } from '../routers/index.js';
import { AuditService } from './audit/audit.service.js';
import { CapacitiesEditor } from './capacities/capacities.editor.js';
import { CapacitiesService } from './capacities/capacities.service.js';
import { AuditRepository } from './change/audit.repository.js';
import { ChangesService } from './change/changes.service.js';
import { ApiClientsService } from './clients/api-clients.service.js';
import { ClientsEditor } from './clients/clients.editor.js';
import { ClientsService } from './clients/clients.service.js';
import { FieldUses } from './fields/field-uses.js';
import { FieldsEditor } from './fields/fields.editor.js';
import { FieldsService } from './fields/fields.service.js';
import { AccountSection } from './file/apply/account.section.js';
import { APPLY_SECTIONS, type ApplySection } from './file/apply/apply-section.js';
import { AccountApplier } from './file/apply/account-applier.js';
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
import { RoutersManagementService } from './routers/routers-management.service.js';
import { RoutersEditor } from './routers/routers.editor.js';
import { CapacitiesPruner } from './file/prune/capacities.pruner.js';
import { FieldsPruner } from './file/prune/fields.pruner.js';
import { PRUNERS, type Pruner } from './file/prune/pruner.js';
import { RoutersPruner } from './file/prune/routers.pruner.js';
import { TeamsPruner } from './file/prune/teams.pruner.js';
import { UsersPruner } from './file/prune/users.pruner.js';
import { TeamUses } from './teams/team-uses.js';
import { TeamsEditor } from './teams/teams.editor.js';
import { TeamsService } from './teams/teams.service.js';
import { UsersArchiver } from './users/users.archiver.js';
import { UserRemoval } from './users/user-removal.js';
import { UserUses } from './users/user-uses.js';
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

/** The order is that of removals: what refers to others goes before them. */
const PRUNING = [RoutersPruner, CapacitiesPruner, TeamsPruner, FieldsPruner, UsersPruner];

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
  providers: [
    AccountApplier,
    ApiClientsService,
    ApplyService,
    AuditRepository,
    AuditService,
    CapacitiesEditor,
    CapacitiesService,
    ChangesService,
    ClientsEditor,
    ClientsService,
    ExportService,
    RouterContents,
    RouterDrafter,
    RouterPublisher,
    RoutersEditor,
    RoutersManagementService,
    FieldUses,
    FieldsEditor,
    FieldsService,
    TeamUses,
    TeamsEditor,
    TeamsService,
    UserRemoval,
    UserUses,
    UsersArchiver,
    UsersEditor,
    UsersService,
    ...SECTIONS,
    ...PRUNING,
    {
      provide: PRUNERS,
      inject: PRUNING,
      useFactory: (...pruners: Pruner[]) => pruners,
    },
    {
      provide: APPLY_SECTIONS,
      inject: SECTIONS,
      useFactory: (...sections: ApplySection[]) => sections,
    },
  ],
  exports: [
    ApiClientsService,
    ApplyService,
    AuditService,
    CapacitiesService,
    ChangesService,
    ClientsService,
    ExportService,
    FieldsService,
    RoutersManagementService,
    TeamsService,
    UsersService,
  ],
})
export class ManagementModule {}
