import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/index.js';
import { CallersModule } from '../auth/index.js';
import { CapacitiesModule } from '../capacities/index.js';
import { DispatchModule } from '../dispatch/index.js';
import { DirectoryModule } from '../directory/index.js';
import { FieldsModule } from '../fields/index.js';
import { RecordsModule } from '../records/index.js';
import { RoutersModule } from '../routers/index.js';
import { CapacitiesKind } from './kinds/capacities.kind.js';
import { AuditRepository } from './change/audit.repository.js';
import { ChangesService } from './change/changes.service.js';
import { ConfigurationUses } from './change/configuration-uses.js';
import { ApiClientsService } from './kinds/api-clients.service.js';
import { ClientsKind } from './kinds/clients.kind.js';
import { FieldsKind } from './kinds/fields.kind.js';
import { MemberAccessService } from './kinds/member-access.service.js';
import { MembersKind } from './kinds/members.kind.js';
import { ApplyService } from './file/apply.service.js';
import { FileSections } from './file/file-sections.js';
import { RouterWriter } from './routers/router-writer.js';
import { RoutersManagementService } from './routers/routers-management.service.js';
import { RoutersService } from './routers/routers.service.js';
import { TeamsKind } from './kinds/teams.kind.js';
import { UsersKind } from './kinds/users.kind.js';

/** The kinds of configuration that are managed alike. */
export const KINDS = [CapacitiesKind, ClientsKind, FieldsKind, MembersKind, TeamsKind, UsersKind];

const SERVICES = [ApiClientsService, ApplyService, MemberAccessService];

/** What changes the configuration of accounts, by file, by requests and by commands. */
@Module({
  imports: [
    AccountsModule,
    CallersModule,
    CapacitiesModule,
    DirectoryModule,
    DispatchModule,
    FieldsModule,
    RecordsModule,
    RoutersModule,
  ],
  providers: [
    ...KINDS,
    ...SERVICES,
    AuditRepository,
    ChangesService,
    ConfigurationUses,
    FileSections,
    RouterWriter,
    RoutersManagementService,
    RoutersService,
  ],
  exports: [...KINDS, ...SERVICES, AuditRepository, RoutersManagementService, RoutersService],
})
export class ManagementModule {}
