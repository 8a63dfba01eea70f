import { Module } from '@nestjs/common';
import { ApiClientsRepository } from './api-clients.repository.js';
import { ApiClientsService } from './api-clients.service.js';

@Module({
  providers: [ApiClientsRepository, ApiClientsService],
  exports: [ApiClientsRepository, ApiClientsService],
})
export class ApiClientsModule {}
