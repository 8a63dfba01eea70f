import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/index.js';
import { CapacitiesModule } from '../capacities/index.js';
import { DirectoryModule } from '../directory/index.js';
import { FieldsModule } from '../fields/index.js';
import { RoutersModule } from '../routers/index.js';
import { ConfigurationCache } from './cache/configuration.cache.js';
import { ConfigurationLoader } from './cache/configuration.loader.js';

@Module({
  imports: [AccountsModule, CapacitiesModule, DirectoryModule, FieldsModule, RoutersModule],
  providers: [ConfigurationCache, ConfigurationLoader],
  exports: [ConfigurationCache],
})
export class ConfigurationModule {}
