import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/index.js';
import { ApiClientsRepository } from './api-clients.repository.js';
import { ConsoleSite } from './people/console-site.js';
import { IdentitiesRepository } from './people/identities.repository.js';
import { PeopleRepository } from './people/people.repository.js';

const PROVIDERS = [ApiClientsRepository, ConsoleSite, IdentitiesRepository, PeopleRepository];

/** Who may act for an account: its clients, and its members. */
@Module({ imports: [AccountsModule], providers: PROVIDERS, exports: PROVIDERS })
export class CallersModule {}
