import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/index.js';
import { DirectoryModule } from '../directory/index.js';
import { FieldsModule } from '../fields/index.js';
import { RoutersModule } from '../routers/index.js';
import { ConfigurationCache } from './cache/configuration.cache.js';
import { ConfigurationLoader } from './cache/configuration.loader.js';
import { AccountSection } from './file/apply/account.section.js';
import { ApplyService } from './file/apply/apply.service.js';
import { DirectorySections } from './file/apply/directory.sections.js';
import { FieldsSection } from './file/apply/fields.section.js';
import { RoutersSection } from './file/apply/routers.section.js';
import { TeamsSection } from './file/apply/teams.section.js';
import { UsersSection } from './file/apply/users.section.js';
import { ExportService } from './file/export.service.js';

@Module({
  imports: [AccountsModule, DirectoryModule, FieldsModule, RoutersModule],
  providers: [
    ConfigurationCache,
    ConfigurationLoader,
    ApplyService,
    ExportService,
    AccountSection,
    DirectorySections,
    FieldsSection,
    RoutersSection,
    TeamsSection,
    UsersSection,
  ],
  exports: [ConfigurationCache, ApplyService, ExportService],
})
export class ConfigurationModule {}
