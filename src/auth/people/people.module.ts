import { Module } from '@nestjs/common';
import { ConsoleSite } from './console-site.js';
import { IdentitiesRepository } from './identities.repository.js';
import { PeopleRepository } from './people.repository.js';

const PROVIDERS = [ConsoleSite, IdentitiesRepository, PeopleRepository];

@Module({ providers: PROVIDERS, exports: PROVIDERS })
export class PeopleModule {}
