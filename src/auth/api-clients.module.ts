import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/index.js';
import { ApiClientsRepository } from './api-clients.repository.js';

@Module({ imports: [AccountsModule], providers: [ApiClientsRepository], exports: [ApiClientsRepository] })
export class ApiClientsModule {}
