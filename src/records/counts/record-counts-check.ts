import { Injectable } from '@nestjs/common';
import type { AccountCheck, AccountContext, CheckResult } from '../../accounts/index.js';
import { OBJECT_TYPES } from '../../fields/index.js';
import { RecordCountsRepository } from './record-counts.repository.js';

/** Compares the counts of records, and of each owner's, with the records: each type in one snapshot. */
@Injectable()
export class RecordCountsCheck implements AccountCheck {
  readonly subject = 'counts of records';

  constructor(private readonly counts: RecordCountsRepository) {}

  async compare({ accountId }: AccountContext): Promise<CheckResult> {
    let [compared, wrong] = [0, 0];
    for (const objectType of OBJECT_TYPES) {
      const found = await this.counts.compare({ accountId, objectType });
      compared += found.compared;
      wrong += found.wrong;
    }
    return { compared, wrong };
  }

  async repair({ accountId }: AccountContext): Promise<void> {
    for (const objectType of OBJECT_TYPES) await this.counts.repair({ accountId, objectType });
  }
}
