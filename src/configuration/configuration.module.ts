import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/index.js';
import { CapacitiesModule } from '../capacities/index.js';
import { DirectoryModule } from '../directory/index.js';
import { FieldsModule } from '../fields/index.js';
import { RoutersModule } from '../routers/index.js';
import { ConfigurationCache } from './cache/configuration.cache.js';
import { ConfigurationLoader } from './cache/configuration.loader.js';
import { AccountSection } from './file/apply/account.section.js';
import { APPLY_SECTIONS, type ApplySection } from './file/apply/apply-section.js';
import { ApplyService } from './file/apply/apply.service.js';
import { CapacitiesSection } from './file/apply/capacities.section.js';
import { FieldsSection } from './file/apply/fields.section.js';
import { RoutersSection } from './file/apply/routers.section.js';
import { TeamsSection } from './file/apply/teams.section.js';
import { UsersSection } from './file/apply/users.section.js';
import { ExportService } from './file/export.service.js';

/** The order is that of their references: each section refers only to earlier ones. */
const SECTIONS = [
  AccountSection,
  FieldsSection,
  UsersSection,
  TeamsSection,
  CapacitiesSection,
  RoutersSection,
];

@Module({
  imports: [AccountsModule, CapacitiesModule, DirectoryModule, FieldsModule, RoutersModule],
  providers: [
    ConfigurationCache,
    ConfigurationLoader,
    ApplyService,
    ExportService,
    ...SECTIONS,
    {
      provide: APPLY_SECTIONS,
      inject: SECTIONS,
      useFactory: (...sections: ApplySection[]) => sections,
    },
  ],
  exports: [ConfigurationCache, ApplyService, ExportService],
})
export class ConfigurationModule {}
