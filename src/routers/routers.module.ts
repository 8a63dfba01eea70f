import { Module } from '@nestjs/common';
import { DirectoryModule } from '../directory/index.js';
import { FieldsModule } from '../fields/index.js';
import { RouterValidator } from './router-validator.js';
import { RouterVersionsRepository } from './router-versions.repository.js';
import { RoutersRepository } from './routers.repository.js';

@Module({
  imports: [DirectoryModule, FieldsModule],
  providers: [RouterVersionsRepository, RoutersRepository, RouterValidator],
  exports: [RoutersRepository, RouterValidator, RouterVersionsRepository],
})
export class RoutersModule {}
