import { Module } from '@nestjs/common';
import { DirectoryModule } from '../directory/index.js';
import { BUILTIN_MODELS, BUILTIN_OPERATORS } from '../engine/index.js';
import { FieldsModule } from '../fields/index.js';
import { RouterValidator } from './router-validator.js';
import { RoutersController } from './routers.controller.js';
import { RoutersRepository } from './routers.repository.js';
import { RoutersService } from './routers.service.js';
import { DISTRIBUTION_MODELS, TRIGGER_OPERATORS } from './routing-extensions.js';

@Module({
  imports: [DirectoryModule, FieldsModule],
  controllers: [RoutersController],
  providers: [
    RoutersRepository,
    RoutersService,
    RouterValidator,
    { provide: TRIGGER_OPERATORS, useValue: BUILTIN_OPERATORS },
    { provide: DISTRIBUTION_MODELS, useValue: BUILTIN_MODELS },
  ],
  exports: [RoutersRepository, RouterValidator, TRIGGER_OPERATORS, DISTRIBUTION_MODELS],
})
export class RoutersModule {}
