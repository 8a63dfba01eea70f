import { Module } from '@nestjs/common';
import { AccountsModule } from '../../accounts/index.js';
import { ConsoleSite } from './console-site.js';
import { IdentitiesRepository } from './identities.repository.js';
import { PeopleRepository } from './people.repository.js';

const PROVIDERS = [ConsoleSite, IdentitiesRepository, PeopleRepository];

@Module({ imports: [AccountsModule], providers: PROVIDERS, exports: PROVIDERS })
export class PeopleModule {}
