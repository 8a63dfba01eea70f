import { Module } from '@nestjs/common';
import { CapacitiesRepository } from './capacities.repository.js';

@Module({ providers: [CapacitiesRepository], exports: [CapacitiesRepository] })
export class CapacitiesModule {}
