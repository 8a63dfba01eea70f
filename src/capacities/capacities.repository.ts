import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import type { AccountContext } from '../accounts/index.js';
import type { EntityReader } from '../database/index.js';
import { CapacityEntity } from './capacity.entity.js';

/** The properties of a capacity that the configuration sets, except its name. */
export type CapacityValues = Pick<CapacityEntity, 'objectType' | 'field' | 'values' | 'users' | 'teams'>;

/** Reads and writes the capacities of accounts. */
@Injectable()
export class CapacitiesRepository {
  /** Returns every capacity of the account that is not archived, ordered by name. */
  list(db: EntityReader, { accountId }: AccountContext): Promise<CapacityEntity[]> {
    return db
      .repository(CapacityEntity)
      .find({ where: { accountId, archivedAt: IsNull() }, order: { name: 'ASC' } });
  }
}
